import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { memoryDataStore } from '../memory-store/memory-data-store.ts';
import { keepStorage } from '../../src/server/storage/keep-storage.ts';
import { testDisk } from '../../src/server/storage/test-disk.ts';
import { serveForTest } from '../../src/server/test-server.ts';
import { startTime } from '../data-service-fixture.ts';

interface Rules {
  readonly groups: readonly {
    readonly rules: readonly { readonly alert: string; readonly expr: string; readonly annotations: object }[];
  }[];
}

const read = (path: string): Promise<string> => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');
const rules = (parse(await read('deploy/sightglass.alerts.yaml')) as Rules).groups.flatMap((group) => group.rules);

/** Metrics that Prometheus itself adds to the scraped ones. */
const ofPrometheus = ['up'];

it.each(rules)('$alert is about metrics and labels that a server has', async ({ expr, annotations }) => {
  const clock = { now: () => startTime };
  const noRules = {
    limits: { keepFreeBytes: 1e9, budgetBytes: 5e9 },
    retention: { filesMs: null, readingsMs: null, auditMs: null },
    overBudget: 'refuse',
  } as const;
  const storage = keepStorage(memoryDataStore(clock), testDisk(), noRules, () => 0);
  const server = await serveForTest({ storage, metricsPort: 0 });
  await server.service.dependencies.store.access.setQuota('a', 5e9);
  await server.service.owner.data.binaryDataByFilter({});
  await fetch(`${server.origin}/viam.app.data.v1.DataService/TagsByFilter`, { method: 'POST', body: '{}' });
  const text = await (await fetch(`http://127.0.0.1:${server.metricsPort}/metrics`)).text();
  const samples = text.split('\n').filter((line) => !line.startsWith('#'));
  const asked = [...expr.matchAll(/\b((?:sightglass|nodejs|process)_\w+|up)\b(?:\{(\w+)=~?"([^"]*)"\})?/g)];
  expect(asked.length).toBeGreaterThan(0);
  for (const [, name, label] of asked.filter(([, name]) => !ofPrometheus.includes(name!))) {
    const sample = samples.find((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`));
    expect([name, sample]).toEqual([name, expect.any(String)]);
    if (label !== undefined) expect(sample).toContain(`${label}="`);
  }
  for (const [, label] of JSON.stringify(annotations).matchAll(/\$labels\.(\w+)/g)) {
    expect(label === 'instance' || text.includes(`${label!}="`)).toBe(true);
  }
});

it('are all of those that the page for operators names', async () => {
  const page = await read('docs/operations.md');
  const named = [...page.matchAll(/`(sightglass_\w+)(?:\{[^}]*\})?`/g)].map(([, name]) => name);
  for (const { expr } of rules) {
    for (const [name] of expr.matchAll(/\bsightglass_\w+/g)) expect(named).toContain(name);
  }
});
