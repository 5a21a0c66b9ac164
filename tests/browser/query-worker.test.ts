import { compileSql } from '../../src/data-service/query/sql/compile-sql.ts';
import { deserialize, serialize } from 'bson';
import { afterAll, describe, expect, it } from 'vitest';
import { undivided } from '../../src/data-service/query/fair-turns.ts';
import { IsolatedQueryRunner } from '../../src/data-service/query/isolated-query-runner.ts';
import { defaultQueryLimits } from '../../src/data-service/query/query-limits.ts';
import { browserQueryWorkers } from '../../workers/query/client.ts';

const readings = Array.from({ length: 100 }, (_, n) => ({ n }));
async function* rows() {
  yield { type: 'rows' as const, rows: readings };
}
const runner = new IsolatedQueryRunner({
  rows: ({ stages }) => ({ stages, rows: rows() }),
  startWorker: browserQueryWorkers(
    () => new Worker(new URL('../../workers/query/entry.ts', import.meta.url), { type: 'module', name: 'queries' }),
  ),
  clock: { now: () => Date.now() * 1000 },
  turns: undivided(2),
});
afterAll(() => runner.close());

const asker = { organizationId: 'a', keyId: null, isPipeline: false };
const never = new AbortController().signal;
async function run(stages: readonly Uint8Array[], limits = defaultQueryLimits) {
  const source = { kind: 'readings', interval: { start: null, end: null } } as const;
  const rows = await runner.run({ organizationId: 'a', source, stages }, asker, limits, never);
  return rows.map((row) => deserialize(row));
}
const count = [serialize({ $count: 'n' })];

describe('a query in a Web Worker', { timeout: 60_000 }, () => {
  it('answers MQL and SQL', async () => {
    expect(await run(count)).toEqual([{ n: 100 }]);
    expect(await run(compileSql('SELECT SUM(n) AS s FROM readings WHERE n < 4'))).toEqual([{ s: 6 }]);
  });

  it('ends at its deadline, while others are answered', async () => {
    const doom = { $regexMatch: { input: `${'a'.repeat(60)}!`, regex: '^(a+)+$' } };
    const stuck = run([serialize({ $project: { x: doom } })], { ...defaultQueryLimits, deadlineMs: 2000 });
    const ended = expect(stuck).rejects.toMatchObject({ code: 'deadline-exceeded' });
    expect(await run(count)).toEqual([{ n: 100 }]);
    await ended;
    expect(await run(count)).toEqual([{ n: 100 }]);
  });

  it('is held by bounds where no heap is', async () => {
    const bomb = run([serialize({ $project: { x: { $range: [0, 1e9] } } })]);
    await expect(bomb).rejects.toMatchObject({ code: 'resource-exhausted' });
    expect(await run(count)).toEqual([{ n: 100 }]);
  });
});
