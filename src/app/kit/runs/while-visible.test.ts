import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { whileVisible } from './while-visible.ts';

const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
function turn(visibilityState: 'visible' | 'hidden'): void {
  page.visibilityState = visibilityState;
  page.dispatchEvent(new Event('visibilitychange'));
}
beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('document', page);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('acts at the interval while the page is visible, and at once when it becomes visible', () => {
  const act = vi.fn();
  const stop = whileVisible(1000, act);
  expect(act).toHaveBeenCalledTimes(0);
  vi.advanceTimersByTime(2000);
  expect(act).toHaveBeenCalledTimes(2);
  turn('hidden');
  vi.advanceTimersByTime(5000);
  expect(act).toHaveBeenCalledTimes(2);
  turn('visible');
  expect(act).toHaveBeenCalledTimes(3);
  stop();
  turn('visible');
  vi.advanceTimersByTime(5000);
  expect(act).toHaveBeenCalledTimes(3);
});
