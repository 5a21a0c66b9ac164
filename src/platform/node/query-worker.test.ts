import { deserialize, serialize } from 'bson';
import { afterAll, describe, expect, it } from 'vitest';
import { undivided } from '../../data-service/query/fair-turns.ts';
import { IsolatedQueryRunner } from '../../data-service/query/isolated-query-runner.ts';
import { defaultQueryLimits } from '../../data-service/query/query-limits.ts';
import type { QueryDocument } from '../../data-service/query/query-document.ts';
import type { Query } from '../../data-service/ports/query-runner.ts';
import { nodeQueryWorkers } from './query-worker.ts';

const readings: QueryDocument[] = Array.from({ length: 100 }, (_, i) => ({ n: i, name: `probe ${i % 3}` }));

async function* rows() {
  yield { type: 'rows' as const, rows: readings };
}

const runner = new IsolatedQueryRunner({
  rows: ({ stages }) => ({ stages, rows: rows() }),
  startWorker: nodeQueryWorkers(),
  clock: { now: () => Date.now() * 1000 },
  turns: undivided(2),
});
afterAll(() => runner.close());

const never = new AbortController().signal;
const query = (...stages: object[]): Query => ({
  organizationId: 'a',
  source: { kind: 'readings', interval: { start: null, end: null } },
  stages: stages.map((stage) => serialize(stage)),
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

  it.each([
    ['a pattern that takes forever', { $project: { x: patternOfDoom } }],
    ['a loop without end', { $project: { x: endless } }],
  ])('ends %s at its deadline, while others are answered', async (_, stage) => {
    const ended = expect(run({ deadlineMs: 1500 }, stage)).rejects.toMatchObject({ code: 'deadline-exceeded' });
    expect(await run({}, { $count: 'n' })).toEqual([{ n: 100 }]);
    await ended;
    expect(await run({}, { $count: 'n' })).toEqual([{ n: 100 }]);
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
    const stuck = [1, 2].map(() => run({ deadlineMs: 3000 }, { $project: { x: endless } }));
    await expect(run({ deadlineMs: 300 }, { $count: 'n' })).rejects.toMatchObject({ code: 'deadline-exceeded' });
    const patient = run({ deadlineMs: 30_000 }, { $count: 'n' });
    for (const one of await Promise.allSettled(stuck)) expect(one.status).toBe('rejected');
    expect(await patient).toEqual([{ n: 100 }]);
  });

  it('tells what is wrong with it, and the thread answers the next one', async () => {
    await expect(run({}, { $limit: -1 })).rejects.toMatchObject({ code: 'invalid-query' });
    expect(await run({}, { $count: 'n' })).toEqual([{ n: 100 }]);
  });

  it('compiles SQL, and refuses what is none', async () => {
    const compile = (sql: string) => runner.compileSql(sql, asker, defaultQueryLimits, never);
    const stages = await compile('SELECT COUNT(*) AS n FROM readings WHERE n < 10');
    expect(
      (await runner.run({ ...query(), stages }, asker, defaultQueryLimits, never)).map((row) => deserialize(row)),
    ).toEqual([{ n: 10 }]);
    await expect(compile('SELECT a FROM b')).rejects.toMatchObject({ code: 'invalid-query' });
  });
});
