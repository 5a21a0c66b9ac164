import { expect, it } from 'vitest';
import { startTime } from '../../../tests/data-service-fixture.ts';
import { memoryDataStore } from '../../../tests/memory-store/memory-data-store.ts';
import { serveForTest } from '../test-server.ts';
import { keepStorage } from './keep-storage.ts';
import { testDisk } from './test-disk.ts';

async function serveStorage() {
  const [clock, disk, time] = [{ now: () => startTime }, testDisk(), { ms: 0 }];
  const rules = {
    limits: { keepFreeBytes: 1e9, budgetBytes: 5e9 },
    retention: { filesMs: null, readingsMs: null, auditMs: null },
    overBudget: 'refuse',
  } as const;
  const storage = keepStorage(memoryDataStore(clock), disk, rules, () => time.ms);
  const server = await serveForTest({ storage });
  const textOf = async (path: string): Promise<[number, string]> => {
    const answer = await fetch(`${server.origin}${path}`);
    return [answer.status, await answer.text()];
  };
  return { disk, time, textOf };
}

it('is not ready on a full disk, and says why', async () => {
  const { disk, time, textOf } = await serveStorage();
  expect(await textOf('/readyz')).toEqual([200, 'ready\n']);
  disk.free = 5e6;
  time.ms += 1000;
  const [status, why] = await textOf('/readyz');
  expect([status, why]).toEqual([503, expect.stringMatching(/has 5 MB left, of which 1 GB are kept free/)]);
  expect((await textOf('/healthz'))[0]).toBe(200); // another start would not help
  disk.freeBytes = () => Promise.reject(new Error('no such disk'));
  time.ms += 1000;
  expect(await textOf('/readyz')).toEqual([503, 'the store does not answer\n']);
});

it('tells what room there is, what waits and how late the event loop is', async () => {
  const { textOf } = await serveStorage();
  const [, text] = await textOf('/metrics');
  for (const line of [
    'sightglass_database_bytes 1000',
    'sightglass_disk_free_bytes 10000000000',
    'sightglass_disk_kept_free_bytes 1000000000',
    'sightglass_disk_budget_bytes 5000000000',
    'sightglass_queue_length{queue="key_checks"} 0',
  ]) {
    expect(text.split('\n')).toContain(line);
  }
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds \S+$/m);
});

it("names its metrics by Prometheus' conventions", async () => {
  const { textOf } = await serveStorage();
  const [, text] = await textOf('/metrics');
  const own = [...text.matchAll(/^# TYPE (sightglass_\w+) (\w+)$/gm)].map(([, name, type]) => ({ name, type }));
  expect(own.length).toBeGreaterThan(15);
  for (const { name, type } of own) {
    // https://prometheus.io/docs/practices/naming/: counters end in _total, what has a unit ends in its base unit
    expect([name, name!.endsWith('_total')]).toEqual([name, type === 'counter']);
    expect(name).not.toMatch(/_(ms|milliseconds|kb|mb|megabytes)$/);
    if (type === 'histogram') expect(name).toMatch(/_(seconds|bytes)$/);
  }
});
