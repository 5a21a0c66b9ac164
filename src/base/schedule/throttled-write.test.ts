import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ThrottledWrite } from './throttled-write.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('writes the newest value once, after a pause', () => {
  const written: number[] = [];
  const later = new ThrottledWrite<number>((value) => written.push(value));
  later.save(1);
  vi.advanceTimersByTime(200);
  later.save(2);
  expect(written).toEqual([]);
  vi.advanceTimersByTime(50);
  expect(written).toEqual([2]);
  vi.advanceTimersByTime(1000);
  expect(written).toEqual([2]);
});

it('writes at once what waits, and nothing twice', () => {
  const written: (number | null)[] = [];
  const later = new ThrottledWrite<number | null>((value) => written.push(value));
  later.flush();
  later.save(null);
  later.flush();
  vi.advanceTimersByTime(1000);
  expect(written).toEqual([null]);
});
