import { flushSync, mount, unmount } from 'svelte';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import Progress from '../../src/app/kit/layout/Progress.svelte';
import { Given } from './given.svelte.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

it('moves while it is unknown how far the work is, and stands where that is known', () => {
  const fraction = new Given<number | null>(null);
  const props = {
    label: 'Loading',
    get fraction() {
      return fraction.current;
    },
  };
  const progress = mount(Progress, { target: document.body, props });
  onTestFinished(() => void unmount(progress));
  flushSync();
  const bar = document.querySelector<HTMLElement>('[role="progressbar"] > i')!;
  const place = () => {
    flushSync();
    return [bar.style.marginLeft, bar.style.width];
  };
  expect(place()).toEqual(['0%', '30%']);
  vi.advanceTimersByTime(400);
  expect(place()).toEqual(['17.5%', '30%']);
  vi.advanceTimersByTime(1600);
  expect(place()).toEqual(['0%', '30%']);
  vi.advanceTimersByTime(400);
  fraction.current = 0.5;
  expect(place()).toEqual(['', '50%']);
  expect(vi.getTimerCount()).toBe(0);
});
