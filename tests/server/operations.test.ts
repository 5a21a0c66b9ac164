import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { parseCommand } from '../parse-command.ts';
import { memoryDataStore } from '../memory-store/memory-data-store.ts';
import { systemClock } from '../../src/server/start-data-host.ts';
import { ClockWatch } from '../../src/server/storage/clock-watch.ts';
import { keepStorage } from '../../src/server/storage/keep-storage.ts';
import { testDisk } from '../../src/server/storage/test-disk.ts';
import { serveForTest } from '../../src/server/test-server.ts';

const read = (path: string): Promise<string> => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');
const guide = await read('docs/operations.md');

/** The arguments of a command line, without its comment. */
const wordsOf = (line: string): string[] =>
  [...line.replace(/\s#.*$/, '').matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word!).slice(1);

const shown = [...guide.matchAll(/```sh\n([^]*?)```/g)].flatMap(([, lines]) => lines!.trim().split('\n'));
const unit = await read('deploy/sightglass.service');
const image = await read('Dockerfile');

it.each([
  ...shown.map((line) => [line, wordsOf(line)] as const),
  ['the systemd unit', wordsOf(/^ExecStart=\/usr\/bin\/env (.*)$/m.exec(unit)![1]!)] as const,
  ['the image', JSON.parse(/^CMD (\[.*\])$/m.exec(image)![1]!) as string[]] as const,
])('what the guide shows is understood: %s', (_, argv) => {
  expect(['serve', 'backup', 'restore', 'move', 'check', 'clock', 'orgs']).toContain(parseCommand(argv).name);
});

it('has every metric of its own in the guide, and no other', async () => {
  const rules = {
    limits: { keepFreeBytes: 0, budgetBytes: 1 },
    retention: { filesMs: null, readingsMs: null, auditMs: null },
    overBudget: 'refuse',
  } as const;
  const storage = keepStorage(memoryDataStore(systemClock), testDisk(), rules, () => 0);
  const seen = { read: () => Promise.resolve(null), write: () => Promise.resolve() };
  const server = await serveForTest({ storage, clockWatch: new ClockWatch(seen, systemClock), metricsPort: 0 });
  const text = await (await fetch(`http://127.0.0.1:${server.metricsPort}/metrics`)).text();
  const told = new Set([...text.matchAll(/^# TYPE (sightglass_\w+) /gm)].map(([, name]) => name));
  expect(new Set([...guide.matchAll(/sightglass_\w+/g)].map(([name]) => name))).toEqual(told);
});
