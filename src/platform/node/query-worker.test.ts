import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deserialize, serialize } from 'bson';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { anonymousReceipt, tabularRow } from '../../../tests/contract/data-store/captures.ts';
import { undivided } from '../../data-service/query/fair-turns.ts';
import { IsolatedQueryRunner } from '../../data-service/query/isolated-query-runner.ts';
import { packEncodedRows } from '../../data-service/query/packed-rows.ts';
import { defaultQueryLimits } from '../../data-service/query/query-limits.ts';
import type { Query } from '../../data-service/ports/query-runner.ts';
import { nodeQueryWorkers } from './query-worker.ts';
import { openSqliteDataStore } from './sqlite-data-store/open-sqlite-data-store.ts';

const clock = { now: () => Date.now() * 1000 };
const folder = await mkdtemp(join(tmpdir(), 'sightglass-queries-'));
const store = await openSqliteDataStore(folder, clock);
const rowOf = (organizationId: string, n: number) =>
  tabularRow(`${organizationId}-${n}`, { organizationId, timeRequested: n, payload: { n, name: `probe ${n % 3}` } });
await store.tabular.insert(
  Array.from({ length: 100 }, (_, n) => rowOf('a', n)),
  anonymousReceipt(),
);
await store.tabular.insert([rowOf('b', 0), rowOf('b', 1)], anonymousReceipt());

const startWorker = nodeQueryWorkers({ databasePath: store.databasePath });
const runner = new IsolatedQueryRunner({ rows: null, startWorker, clock, turns: undivided(2) });
afterAll(async () => {
  runner.close();
  await store.close();
  await rm(folder, { recursive: true });
});

const never = new AbortController().signal;
const query = (...stages: object[]): Query => ({
  organizationId: 'a',
  source: { kind: 'readings', interval: { start: null, end: null } },
  stages: [{ $replaceWith: '$data' }, ...stages].map((stage) => serialize(stage)),
});
const run = async (limits: Partial<typeof defaultQueryLimits>, ...stages: object[]) =>
  (await runner.run(query(...stages), asker, { ...defaultQueryLimits, ...limits }, never)).map((row) =>
    deserialize(row),
  );
const asker = { organizationId: 'a', keyId: null, isPipeline: false };
const patternOfDoom = { $regexMatch: { input: `${'a'.repeat(60)}!`, regex: '^(a+)+$' } };
const endless = {
  $reduce: { input: { $range: [0, 2_000_000] }, initialValue: 0, in: { $size: { $range: [0, 100_000] } } },
};

describe('a query in a thread', { timeout: 60_000 }, () => {
  it('answers, and the thread answers the next one', async () => {
    expect(await run({}, { $count: 'n' })).toEqual([{ n: 100 }]);
    expect(await run({}, { $group: { _id: '$name', n: { $sum: 1 } } }, { $sort: { _id: 1 } })).toEqual([
      { _id: 'probe 0', n: 34 },
      { _id: 'probe 1', n: 33 },
      { _id: 'probe 2', n: 33 },
    ]);
  });

  it('reads what was added since the last one, and of its organization alone', async () => {
    expect(
      await runner.run({ ...query({ $count: 'n' }), organizationId: 'b' }, asker, defaultQueryLimits, never),
    ).toEqual([new Uint8Array(serialize({ n: 2 }))]);
    await store.tabular.insert([rowOf('b', 2)], anonymousReceipt());
    const names = { ...query({ $project: { _id: 0, n: 1 } }), organizationId: 'b' };
    const rows = await runner.run(names, asker, defaultQueryLimits, never);
    expect(rows.map((row) => deserialize(row))).toEqual([{ n: 0 }, { n: 1 }, { n: 2 }]);
  });

  it('leaves this thread free while it reads', async () => {
    const many = Array.from({ length: 10_000 }, (_, n) => rowOf('c', n));
    await store.tabular.insert(many, anonymousReceipt());
    const sum = { ...query({ $group: { _id: null, n: { $sum: '$n' } } }), organizationId: 'c' };
    await runner.run(sum, asker, defaultQueryLimits, never);
    const before = performance.eventLoopUtilization();
    for (let i = 0; i < 5; i++) await runner.run(sum, asker, defaultQueryLimits, never);
    expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.4);
  });

  it('ends with a database that is not there', async () => {
    const startWorker = nodeQueryWorkers({ databasePath: join(folder, 'no.db') });
    const lost = new IsolatedQueryRunner({ rows: null, startWorker, clock, turns: undivided(1) });
    await expect(lost.run(query({ $count: 'n' }), asker, defaultQueryLimits, never)).rejects.toMatchObject({
      name: 'StoreError',
      code: 'unavailable',
    });
    lost.close();
  });

  it.each([
    ['a pattern that takes forever', { $project: { x: patternOfDoom } }],
    ['a loop without end', { $project: { x: endless } }],
  ])('ends %s at its deadline, while others are answered', async (_, stage) => {
    const ended = expect(run({ deadlineMs: 500 }, stage)).rejects.toMatchObject({ code: 'deadline-exceeded' });
    expect(await run({}, { $count: 'n' })).toEqual([{ n: 100 }]);
    await ended;
    expect(await run({}, { $count: 'n' })).toEqual([{ n: 100 }]);
  });

  it('tells the processor time of a thread, also while that computes', async () => {
    const thread = startWorker(64 * 2 ** 20);
    const limits = { ...defaultQueryLimits, maxMemoryBytes: 64 * 2 ** 20 };
    const { organizationId, source, stages } = query({ $project: { x: patternOfDoom } });
    thread.post({
      type: 'query',
      organizationId,
      source,
      stages: packEncodedRows(stages),
      limits,
      nowMs: 0,
      inParts: false,
    });
    await vi.waitFor(() => thread.processorMs!(), { timeout: 30_000 });
    const beforeMs = await thread.processorMs!();
    await vi.waitFor(async () => expect(await thread.processorMs!()).toBeGreaterThan(beforeMs + 200), {
      timeout: 30_000,
    });
    thread.terminate();
  });

  it('ends a query that fills its heap, and goes on', async () => {
    const grow = { $map: { input: { $range: [0, 100_000] }, in: { a: '$$this', b: ['$$this'] } } };
    const bomb = run(
      { maxMemoryBytes: 64 * 2 ** 20 },
      { $project: { x: grow } },
      { $group: { _id: null, all: { $push: '$x' } } },
    );
    await expect(bomb).rejects.toMatchObject({ code: 'resource-exhausted' });
    expect(await run({}, { $count: 'n' })).toEqual([{ n: 100 }]);
  });

  it('ends with its caller', async () => {
    const caller = new AbortController();
    const stuck = runner.run(query({ $project: { x: endless } }), asker, defaultQueryLimits, caller.signal);
    caller.abort(new Error('the client went away'));
    await expect(stuck).rejects.toThrow('the client went away');
  });

  it('waits for its turn within its own deadline', async () => {
    const stuck = [1, 2].map(() => run({ deadlineMs: 1000 }, { $project: { x: endless } }));
    await expect(run({ deadlineMs: 200 }, { $count: 'n' })).rejects.toMatchObject({ code: 'deadline-exceeded' });
    const patient = run({ deadlineMs: 30_000 }, { $count: 'n' });
    for (const one of await Promise.allSettled(stuck)) expect(one.status).toBe('rejected');
    expect(await patient).toEqual([{ n: 100 }]);
  });

  it('tells what is wrong with it, and the thread answers the next one', async () => {
    await expect(run({}, { $limit: -1 })).rejects.toMatchObject({ code: 'invalid-query' });
    expect(await run({}, { $count: 'n' })).toEqual([{ n: 100 }]);
  });
});
