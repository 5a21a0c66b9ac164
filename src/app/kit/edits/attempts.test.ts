import { expect, it } from 'vitest';
import { Attempts } from './attempts.svelte.ts';

it('keeps why the last action failed until the next one, or until it is dismissed', async () => {
  const attempts = new Attempts();
  const states: unknown[] = [];
  const failing = attempts.attempt(async () => {
    states.push([attempts.busy, attempts.failure]);
    throw new Error('no room');
  });
  expect(await failing).toBe(false);
  expect([attempts.busy, attempts.failure?.message]).toEqual([false, 'no room']);
  expect(await attempts.attempt(() => void states.push([attempts.busy, attempts.failure]))).toBe(true);
  expect(states).toEqual([
    [true, null],
    [true, null],
  ]);
  await attempts.attempt(() => Promise.reject(new Error('again')));
  attempts.dismiss();
  expect(attempts.failure).toBeNull();
});
