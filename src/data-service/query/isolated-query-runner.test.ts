import { deserialize, serialize } from 'bson';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { collect } from '../../../tests/data-service-fixture.ts';
import { splitDocuments } from '../../base/row-files/bson-rows.ts';
import type { Query } from '../ports/query-runner.ts';
import { answerQueries } from './answer-queries.ts';
import { undivided, type TurnLimits } from './fair-turns.ts';
import { IsolatedQueryRunner, outOfMemory } from './isolated-query-runner.ts';
import { packEncodedRows } from './packed-rows.ts';
import { defaultQueryLimits } from './query-limits.ts';
import type { QueryRows } from './query-rows.ts';
import type { QueryWorker, ToQueryWorker } from './query-worker.ts';

const never = new AbortController().signal;
const asker = { organizationId: 'a', keyId: null, isPipeline: false };
const count = serialize({ $count: 'n' });
const source = { kind: 'readings', interval: { start: null, end: null } } as const;
const query = (...stages: Uint8Array[]): Query => ({ organizationId: 'a', source, stages });
const batch = (...values: number[]): QueryRows => ({ type: 'rows', rows: values.map((n) => ({ n })) });

/** Worker threads whose answers a test holds back, and what became of them. */
function threads(batches: readonly QueryRows[] = [batch(1, 2), batch(3)], turns: TurnLimits = undivided(1)) {
  const started: (QueryWorker & { memory: number; ended: boolean })[] = [];
  const sent: { type: ToQueryWorker['type']; transferred: number }[] = [];
  const state = { silent: false, nowMs: 0, processorMs: 0 };
  const runner = new IsolatedQueryRunner({
    rows: ({ stages }) => ({
      stages,
      rows: (async function* () {
        yield* batches;
      })(),
    }),
    startWorker: (memory) => {
      const answer = answerQueries((message) => {
        if (!state.silent) queueMicrotask(() => worker.onMessage(message));
      });
      const worker = {
        memory,
        ended: false,
        onMessage: () => {},
        onEnd: () => {},
        post: (message: ToQueryWorker, transfer: readonly ArrayBufferLike[] = []) => {
          sent.push({ type: message.type, transferred: transfer.length });
          if (message.type === 'start') state.nowMs = message.nowMs;
          answer(message);
        },
        terminate: () => void (worker.ended = true),
        processorMs: () => Promise.resolve(state.processorMs),
      } as QueryWorker & { memory: number; ended: boolean };
      started.push(worker);
      return worker;
    },
    clock: { now: () => 1_700_000_000_123_999 },
    turns,
  });
  const run = async (...stages: Uint8Array[]) =>
    (await runner.run(query(...stages), asker, defaultQueryLimits, never)).map((row) => deserialize(row));
  return { runner, run, started, sent, state };
}

describe('a query', () => {
  it('sees the time of the host, in whole milliseconds', async () => {
    const { run, state } = threads();
    expect(await run(count)).toEqual([{ n: 3 }]);
    expect(state.nowMs).toBe(1_700_000_000_123);
  });

  it('sends each batch once the last was taken, and none that cannot change the answer', async () => {
    const all = threads();
    await all.run();
    expect(all.sent.map(({ type }) => type)).toEqual(['start', 'rows', 'rows', 'finish']);
    const some = threads([batch(1), batch(2), batch(3)]);
    expect(await some.run(serialize({ $limit: 1 }))).toEqual([{ n: 1 }]);
    expect(some.sent.map(({ type }) => type)).toEqual(['start', 'rows', 'finish']);
  });

  it('hands over the buffers of what it reads, and copies plain rows', async () => {
    const documents = packEncodedRows([serialize({ n: 1 })]);
    const readings = {
      count: 1,
      timesRequested: new Float64Array([5]),
      payloads: '[{"readings":{}}]',
      unusual: [],
      origins: [],
      originOf: new Uint32Array([0]),
    };
    const { run, sent } = threads([
      { type: 'documents', documents },
      { type: 'readings', readings, paths: ['time_requested'] } as never,
      batch(1),
    ]);
    await run(count);
    expect(sent).toEqual([
      { type: 'start', transferred: 0 },
      { type: 'documents', transferred: 2 },
      { type: 'readings', transferred: 2 },
      { type: 'rows', transferred: 0 },
      { type: 'finish', transferred: 0 },
    ]);
  });
});

describe('an answer in parts', () => {
  const streamOf = (
    { runner }: ReturnType<typeof threads>,
    stages: Uint8Array[],
    limits = defaultQueryLimits,
    signal = never,
  ) => runner.stream(query(...stages), asker, limits, signal);
  const valuesOf = (bytes: Uint8Array) => splitDocuments(bytes).documents.map((row) => deserialize(row)['n'] as number);
  const large = (from: number): QueryRows => ({
    type: 'rows',
    rows: [0, 1, 2].map((n) => ({ n: from + n, text: 'x'.repeat(400_000) })),
  });

  it('comes as rows are read, and is counted by no limit', async () => {
    const all = threads([batch(1, 2), batch(3), batch()]);
    const parts: number[][] = [];
    for await (const bytes of streamOf(all, [], { ...defaultQueryLimits, maxRows: 2 })) parts.push(valuesOf(bytes));
    expect(parts).toEqual([[1, 2], [3]]);
    expect(all.sent.map(({ type }) => type)).toEqual(['start', 'rows', 'rows', 'rows', 'finish', 'more']);
    await expect(all.run()).resolves.toHaveLength(3);
    expect(all.started.map(({ ended }) => ended)).toEqual([false]);
  });

  it('of a stage that needs all rows comes in parts of a megabyte', async () => {
    const all = threads([large(0), large(3)]);
    const parts: number[][] = [];
    for await (const bytes of streamOf(all, [serialize({ $sort: { n: -1 } })])) parts.push(valuesOf(bytes));
    expect(parts).toEqual([
      [5, 4, 3],
      [2, 1, 0],
    ]);
  });

  it('reads no further than it is taken, and ends with whoever takes it', async () => {
    const all = threads(Array.from({ length: 100 }, (_, n) => batch(n)));
    for await (const bytes of streamOf(all, [])) if (valuesOf(bytes)[0] === 3) break;
    expect(all.sent.length).toBeLessThan(8);
    expect(all.started.map(({ ended }) => ended)).toEqual([true]);
    expect(await all.run(count)).toEqual([{ n: 100 }]);
  });

  it('ends for a limit that needs no more, an error and an abort', async () => {
    const some = threads([batch(1), batch(2), batch(3)]);
    expect((await collect(streamOf(some, [serialize({ $limit: 1 })]))).map(valuesOf)).toEqual([[1]]);
    await expect(collect(streamOf(some, [serialize({ $limit: 0 })]))).rejects.toMatchObject({ code: 'invalid-query' });
    const stop = new AbortController();
    const parts = streamOf(some, [], defaultQueryLimits, stop.signal);
    await parts.next();
    stop.abort(new Error('gone'));
    await expect(parts.next()).rejects.toThrow('gone');
    expect(await some.run(count)).toEqual([{ n: 3 }]);
  });

  it('has a deadline, in which the time of whoever takes it does not count', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const slow = threads([batch(1), batch(2), batch(3)]);
    const parts = streamOf(slow, [], { ...defaultQueryLimits, deadlineMs: 1000 });
    expect(valuesOf((await parts.next()).value!)).toEqual([1]);
    vi.advanceTimersByTime(60_000);
    expect(valuesOf((await parts.next()).value!)).toEqual([2]);
    slow.state.silent = true;
    const last = parts.next().then(() => parts.next());
    const told = expect(last).rejects.toMatchObject({ code: 'deadline-exceeded' });
    await vi.advanceTimersByTimeAsync(1001);
    await told;
    expect(slow.started[0]!.ended).toBe(true);
  });
});

describe('a worker', () => {
  it('is kept for the next query of the same memory, also after a refusal', async () => {
    const { runner, run, started } = threads();
    await run(count);
    await expect(run(serialize({ $limit: 0 }))).rejects.toMatchObject({ name: 'QueryError', code: 'invalid-query' });
    await run(count);
    expect(started.map(({ ended }) => ended)).toEqual([false]);
    await runner.run(query(count), asker, { ...defaultQueryLimits, maxMemoryBytes: 5e6 }, never);
    expect(started.map(({ memory }) => memory)).toEqual([2 ** 29, 5e6]);
  });

  it('is started anew where the kept one has ended', async () => {
    const { run, started } = threads();
    await run(count);
    started[0]!.onEnd(new Error('out of memory'));
    expect(await run(count)).toEqual([{ n: 3 }]);
    expect(started).toHaveLength(2);
  });

  it('that ends takes its query with it', async () => {
    const { run, started, state } = threads();
    state.silent = true;
    const running = run(count);
    await vi.waitFor(() => expect(started).toHaveLength(1));
    started[0]!.onEnd(new Error('out of memory'));
    await expect(running).rejects.toThrow('out of memory');
    expect(started[0]!.ended).toBe(true);
    state.silent = false;
    expect(await run(count)).toEqual([{ n: 3 }]);
  });

  it('that is kept ends when the runner is closed', async () => {
    const { runner, run, started } = threads();
    await run(count);
    runner.close();
    expect(started.map(({ ended }) => ended)).toEqual([true]);
    await run(count);
    expect(started).toHaveLength(2);
  });
});

describe('the end of a query', () => {
  it('is its deadline, with its worker', async () => {
    vi.useFakeTimers();
    const { runner, started, state } = threads();
    state.silent = true;
    const running = runner.run(query(count), asker, { ...defaultQueryLimits, deadlineMs: 1500 }, never);
    let error: unknown = null;
    running.catch((cause: unknown) => (error = cause));
    await vi.advanceTimersByTimeAsync(1499);
    expect(error).toBeNull();
    await vi.advanceTimersByTimeAsync(1);
    expect(error).toMatchObject({
      code: 'deadline-exceeded',
      message: 'The query took longer than 1.5 s and was ended.',
    });
    expect(started.map(({ ended }) => ended)).toEqual([true]);
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });

  it('is its deadline from its turn on, and as long a wait for that before', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { runner, state } = threads();
    state.silent = true;
    const limits = { ...defaultQueryLimits, deadlineMs: 3000 };
    const startMs = performance.now();
    const ask = (): Promise<unknown> =>
      runner
        .run(query(count), asker, limits, never)
        .catch((error: Error) => [performance.now() - startMs, error.message]);
    const first = ask();
    await vi.advanceTimersByTimeAsync(1000);
    const [second, third] = [ask(), ask()];
    await vi.advanceTimersByTimeAsync(1000);
    void ask();
    await vi.advanceTimersByTimeAsync(4000);
    expect([await first, await second, await third]).toEqual([
      [3000, 'The query took longer than 3 s and was ended.'],
      [6000, 'The query took longer than 3 s, after 2 s of waiting for its turn, and was ended.'],
      [4000, expect.stringMatching(/^The query waited 3 s for its turn, among 2 of its organization/)],
    ]);
  });

  it('is its caller’s, also before it began', async () => {
    const { runner, started, state } = threads();
    const gone = AbortSignal.abort(new Error('the client went away'));
    await expect(runner.run(query(count), asker, defaultQueryLimits, gone)).rejects.toThrow('the client went away');
    expect(started).toEqual([]);
    state.silent = true;
    const caller = new AbortController();
    const running = runner.run(query(count), asker, defaultQueryLimits, caller.signal);
    await vi.waitFor(() => expect(started).toHaveLength(1));
    caller.abort(new Error('the client went away'));
    await expect(running).rejects.toThrow('the client went away');
    expect(started.map(({ ended }) => ended)).toEqual([true]);
  });

  it('is the processor time of its thread, in a place for short queries, where the platform tells it', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { runner, state } = threads([batch(1)], { ...undivided(1), shortPlaces: 1 });
    state.silent = true;
    const ask = (organizationId: string) =>
      runner.run(query(count), { ...asker, organizationId }, defaultQueryLimits, never).catch((error: Error) => error);
    state.processorMs = 70_000; // time of the queries before
    const [, short] = [ask('a'), ask('b')];
    await vi.advanceTimersByTimeAsync(1000);
    void ask('c');
    const ended: unknown[] = [];
    void short.then((error) => ended.push(error));
    state.processorMs += 999;
    await vi.advanceTimersByTimeAsync(250);
    expect(ended).toEqual([]);
    state.processorMs += 1;
    await vi.advanceTimersByTimeAsync(250);
    expect(ended).toMatchObject([{ code: 'resource-exhausted' }]);
  });

  it('lets the one that waits longest begin', async () => {
    const { runner, run, started, state } = threads([batch(1)]);
    state.silent = true;
    const first = new AbortController();
    const second = new AbortController();
    const running = runner.run(query(count), asker, defaultQueryLimits, first.signal);
    const impatient = runner.run(query(count), asker, defaultQueryLimits, second.signal);
    const patient = [run(count), run(count)];
    second.abort(new Error('no patience'));
    await expect(impatient).rejects.toThrow('no patience');
    expect(started).toHaveLength(1);
    state.silent = false;
    first.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
    expect(await Promise.all(patient)).toEqual([[{ n: 1 }], [{ n: 1 }]]);
    expect(started).toHaveLength(2);
    expect(await run(count)).toEqual([{ n: 1 }]);
    expect(started).toHaveLength(2);
  });

  it('runs as many side by side as there are workers', async () => {
    const { run, started, state } = threads([batch(1)], undivided(2));
    state.silent = true;
    for (let i = 0; i < 3; i++) void run(count).catch(() => {});
    await new Promise((resolve) => setImmediate(resolve));
    expect(started).toHaveLength(2);
  });
});

describe('a worker that is kept', () => {
  const of = (organizationId: string) => ({ ...asker, organizationId });
  /** A query that never ends, and how it is ended. */
  function endless({ runner, state }: ReturnType<typeof threads>, organizationId: string) {
    const caller = new AbortController();
    state.silent = true;
    const running = runner.run(query(count), of(organizationId), defaultQueryLimits, caller.signal).catch(() => {});
    return {
      async end() {
        caller.abort(new Error('enough'));
        await running;
      },
    };
  }
  const answered = async ({ runner, state }: ReturnType<typeof threads>, organizationId: string): Promise<void> => {
    state.silent = false;
    await runner.run(query(count), of(organizationId), defaultQueryLimits, never);
  };

  it('is left to the organization whose query it answered, while it is the only one', async () => {
    const all = threads([batch(1)], undivided(4));
    await answered(all, 'quiet');
    for (let n = 0; n < 3; n++) await endless(all, 'burning').end();
    expect(all.started.map(({ ended }) => ended)).toEqual([false, true, true, true]);
    await answered(all, 'quiet');
    expect(all.started).toHaveLength(4);
    await answered(all, 'other');
    expect(all.started).toHaveLength(5);
    endless(all, 'burning'); // there is one for quiet and one for others
    await new Promise((resolve) => setImmediate(resolve));
    expect(all.started).toHaveLength(5);
  });

  it('is ready for whoever comes to a place for short queries, while all others are taken', async () => {
    const all = threads([batch(1)], { ...undivided(2), shortPlaces: 1 });
    endless(all, 'a');
    await new Promise((resolve) => setImmediate(resolve));
    expect(all.started).toHaveLength(1);
    endless(all, 'a');
    await new Promise((resolve) => setImmediate(resolve));
    expect(all.started).toHaveLength(3); // and one ahead
    const sent = vi.spyOn(all.started[2]!, 'post');
    await answered(all, 'quiet');
    expect(sent).toHaveBeenCalled();
    expect(all.started).toHaveLength(4);
    await answered(all, 'quiet');
    expect(all.started).toHaveLength(4);
  });

  it('and is ready goes to none of those that take the last other place, and to anybody once one is free', async () => {
    const all = threads([batch(1)], { ...undivided(2), shortPlaces: 1 });
    const settled = () => new Promise((resolve) => setImmediate(resolve));
    const first = endless(all, 'a');
    await settled();
    const second = endless(all, 'a');
    await settled();
    expect(all.started).toHaveLength(3);
    const ready = vi.spyOn(all.started[2]!, 'post');
    await first.end();
    const third = endless(all, 'a');
    await settled();
    expect(all.started).toHaveLength(4);
    expect(ready).not.toHaveBeenCalled();
    for (const one of [second, third]) await one.end();
    await answered(all, 'b');
    expect(ready).toHaveBeenCalled();
    expect(all.started).toHaveLength(4);
  });

  it('is not taken by another organization in a place for short queries either', async () => {
    const all = threads([batch(1)], { ...undivided(2), shortPlaces: 2 });
    await answered(all, 'quiet');
    const own = vi.spyOn(all.started[0]!, 'post');
    for (const name of ['a', 'b', 'c']) {
      void endless(all, name);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(own).not.toHaveBeenCalled();
    await answered(all, 'quiet');
    expect(own).toHaveBeenCalled();
  });

  it('ends when there are more than may run, the one that waited longest first', async () => {
    const all = threads([batch(1)], undivided(2));
    await answered(all, 'a');
    await Promise.all([answered(all, 'b'), answered(all, 'c')]);
    expect(all.started.map(({ ended }) => ended)).toEqual([true, false, false]);
  });
});

it('says what memory a query would need more than', () => {
  expect(outOfMemory({ maxMemoryBytes: 64 * 2 ** 20 })).toMatchObject({
    code: 'resource-exhausted',
    message: 'The query needs more than 64 MiB of memory and was ended.',
  });
});
