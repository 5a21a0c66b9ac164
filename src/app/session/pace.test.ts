import { expect, it } from 'vitest';
import { Pace } from './pace.ts';

/** A pace of 100 ms by a clock that the test turns, and what ran when. */
function paced() {
  let nowMs = 1000;
  let timers: { readonly atMs: number; readonly task: () => void }[] = [];
  const pace = new Pace(100, {
    nowMs: () => nowMs,
    after: (ms, task) => void timers.push({ atMs: nowMs + ms, task }),
  });
  const ran: string[] = [];
  const task = (name: string) => () => void ran.push(`${name} at ${nowMs - 1000}`);
  return {
    ran,
    schedule: (name: string) => pace.schedule(task(name)),
    now: (name: string) => pace.now(task(name)),
    pass(ms: number): void {
      nowMs += ms;
      const due = timers.filter(({ atMs }) => atMs <= nowMs);
      timers = timers.filter(({ atMs }) => atMs > nowMs);
      for (const timer of due) timer.task();
    },
    timers: () => timers.length,
  };
}

it('runs the first at once, and of those that come too soon the last', () => {
  const { ran, schedule, pass } = paced();
  for (const name of ['a', 'b', 'c']) {
    schedule(name);
    pass(30);
  }
  expect(ran).toEqual(['a at 0']);
  pass(10);
  expect(ran).toEqual(['a at 0', 'c at 100']);
  pass(500);
  schedule('d');
  expect(ran).toEqual(['a at 0', 'c at 100', 'd at 600']);
});

it('keeps one timer, however many come', () => {
  const { schedule, timers } = paced();
  for (let count = 0; count < 20; count++) schedule('frame');
  expect(timers()).toBe(1);
});

it('runs at once what has to, forgets what waited for it, and counts from there', () => {
  const { ran, schedule, now, pass } = paced();
  schedule('a');
  schedule('b');
  pass(60);
  now('c');
  pass(60);
  schedule('d');
  pass(39);
  expect(ran).toEqual(['a at 0', 'c at 60']);
  pass(1);
  expect(ran).toEqual(['a at 0', 'c at 60', 'd at 160']);
});
