import { expect, it } from 'vitest';
import { batch } from './batch.ts';

function manualBatch() {
  const runs: (readonly string[])[] = [];
  const ends: {
    readonly resolve: (results: readonly (string | Promise<string>)[]) => void;
    readonly reject: (error: unknown) => void;
  }[] = [];
  const call = batch<string, string>((items) => {
    runs.push(items);
    return new Promise((resolve, reject) => ends.push({ resolve, reject }));
  });
  return { runs, ends, call };
}

it('runs the first call at once, and together those that come meanwhile', async () => {
  const { runs, ends, call } = manualBatch();
  const [a, b, c] = ['a', 'b', 'c'].map(call);
  ends[0]!.resolve(['A']);
  expect(await a).toBe('A');
  await expect.poll(() => runs).toEqual([['a'], ['b', 'c']]);
  ends[1]!.resolve(['B', 'C']);
  expect(await Promise.all([b, c])).toEqual(['B', 'C']);
});

it('rejects the calls of a failed run, or one of them, and runs the next', async () => {
  const { ends, call } = manualBatch();
  const [a, b, c] = ['a', 'b', 'c'].map(call);
  ends[0]!.reject(new Error('no'));
  await expect(a).rejects.toThrow('no');
  await expect.poll(() => ends.length).toBe(2);
  ends[1]!.resolve(['B', Promise.reject(new Error('not C'))]);
  expect(await b).toBe('B');
  await expect(c).rejects.toThrow('not C');
});
