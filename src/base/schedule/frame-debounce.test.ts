import { expect, it } from 'vitest';
import { FrameDebounce } from './frame-debounce.ts';

function debounce() {
  const frames: (() => void)[] = [];
  const log: string[] = [];
  const scheduled = new FrameDebounce((callback) => frames.push(callback));
  const schedule = (name: string): void => scheduled.schedule(() => void log.push(name));
  const paint = (): void => frames.splice(0).forEach((callback) => callback());
  return { log, schedule, paint, flush: () => scheduled.flush() };
}

it('runs the last task of a frame, once', () => {
  const { log, schedule, paint } = debounce();
  schedule('a');
  schedule('b');
  expect(log).toEqual([]);
  paint();
  schedule('c');
  paint();
  paint();
  expect(log).toEqual(['b', 'c']);
});

it('runs what waits at once where it is told to, and not again', () => {
  const { log, schedule, paint, flush } = debounce();
  schedule('a');
  flush();
  expect(log).toEqual(['a']);
  flush();
  paint();
  expect(log).toEqual(['a']);
});
