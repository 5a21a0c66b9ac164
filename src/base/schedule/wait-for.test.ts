import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { waitFor } from './wait-for.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it.each([
  ['its time is over', () => vi.advanceTimersByTime(100)],
  ['its signal aborts', (abort: AbortController) => abort.abort()],
])('ends when %s, and leaves no timer and no listener', async (_, end) => {
  const abort = new AbortController();
  const removed = vi.spyOn(abort.signal, 'removeEventListener');
  let isOver = false;
  const waiting = waitFor(100, abort.signal).then(() => (isOver = true));
  vi.advanceTimersByTime(99);
  await Promise.resolve();
  expect(isOver).toBe(false);
  end(abort);
  await waiting;
  expect(vi.getTimerCount()).toBe(0);
  expect(removed).toHaveBeenCalledOnce();
});

it('waits for nothing where its signal has aborted before', async () => {
  await waitFor(100, AbortSignal.abort());
  expect(vi.getTimerCount()).toBe(0);
});
