import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { whenReady } from './when-ready.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = new Promise<void>(() => undefined);

async function isToldAfter(ms: number, prepared: Promise<unknown>, isFetching = false): Promise<boolean> {
  let isTold = false;
  void whenReady({ prepared, isFetching: () => isFetching }).then(() => (isTold = true));
  await vi.advanceTimersByTimeAsync(ms);
  return isTold;
}

it('is at once where the runtime is prepared, or cannot be', async () => {
  expect(await isToldAfter(0, Promise.resolve())).toBe(true);
  expect(await isToldAfter(0, Promise.reject(new Error('no memory')))).toBe(true);
});

it('is after ten seconds where a slow network still brings its file', async () => {
  expect(await isToldAfter(9_999, never, true)).toBe(false);
  expect(await isToldAfter(10_000, never, true)).toBe(true);
});

it('is never where all is there and nothing comes of it', async () => {
  expect(await isToldAfter(600_000, never)).toBe(false);
});

it('is later where a slow processor still compiles', async () => {
  const slow = new Promise<void>((resolve) => setTimeout(resolve, 12_000));
  expect(await isToldAfter(12_000, slow)).toBe(true);
});
