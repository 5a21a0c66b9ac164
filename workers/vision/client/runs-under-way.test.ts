import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { RunsUnderWay } from './runs-under-way.ts';

beforeEach(() => void vi.useFakeTimers({ now: 0, toFake: ['performance', 'setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

function watched() {
  const told: [number, boolean][] = [];
  const runs = new RunsUnderWay((isStalled) => told.push([performance.now(), isStalled]));
  return { runs, told };
}

it('says that an answer is late 3 s after the last one, and when that is over', () => {
  const { runs, told } = watched();
  runs.begin();
  runs.begin();
  vi.advanceTimersByTime(2000);
  runs.end();
  vi.advanceTimersByTime(3000);
  runs.end();
  vi.advanceTimersByTime(10_000);
  expect(told).toEqual([
    [0, false],
    [2000, false],
    [5000, true],
    [5000, false],
  ]);
});

it('allows a second run shortly before the first is expected to end, and never more than three', () => {
  const { runs } = watched();
  runs.expectedRunMs = 100;
  expect(runs.lanes).toBe(1);
  runs.begin();
  const lanes = [0, 49, 1, 99, 1, 1000].map((ms) => (vi.advanceTimersByTime(ms), runs.lanes));
  expect(lanes).toEqual([1, 1, 2, 2, 3, 3]);
});

it('allows one run while nothing is known of its duration', () => {
  const { runs } = watched();
  runs.begin();
  vi.advanceTimersByTime(10_000);
  expect(runs.lanes).toBe(1);
});

it('refuses the end of a run that never began', () => {
  expect(() => watched().runs.end()).toThrow('call begin() first');
});
