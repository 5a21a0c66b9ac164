import { expect, it } from 'vitest';
import { singleFlight } from './single-flight.ts';

function manualRun() {
  const ends: { readonly resolve: (result: string) => void; readonly reject: (error: unknown) => void }[] = [];
  const fly = singleFlight(() => new Promise<string>((resolve, reject) => ends.push({ resolve, reject })));
  return { fly, ends };
}

it('gives calls during a run its promise, and runs again for the next call', async () => {
  const { fly, ends } = manualRun();
  expect(fly.running).toBeNull();
  const first = fly();
  expect(fly()).toBe(first);
  expect(fly.running).toBe(first);
  ends[0]!.resolve('A');
  expect(await first).toBe('A');
  expect(fly.running).toBeNull();
  void fly();
  expect(ends).toHaveLength(2);
});

it('runs again after a failure', async () => {
  const { fly, ends } = manualRun();
  const failing = fly();
  ends[0]!.reject(new Error('no'));
  await expect(failing).rejects.toThrow('no');
  const next = fly();
  ends[1]!.resolve('B');
  expect(await next).toBe('B');
});
