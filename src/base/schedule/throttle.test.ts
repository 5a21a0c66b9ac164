import { expect, it } from 'vitest';
import { Throttle } from './throttle.ts';

/** A pace of 100 ms by a clock that the test turns, and what ran when. */
function paced() {
  let nowMs = 1000;
  let timers: { readonly atMs: number; readonly task: () => void }[] = [];
  const pace = new Throttle(100, {
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

it('runs the first at once, and the next that comes when it may', () => {
  const { ran, schedule, pass } = paced();
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    schedule(name);
    pass(40);
  }
  expect(ran).toEqual(['a at 0', 'd at 120']);
});

it('runs the last of those that came too soon by itself, a little later', () => {
  const { ran, schedule, pass } = paced();
  for (const name of ['a', 'b', 'c']) {
    schedule(name);
    pass(30);
  }
  pass(109);
  expect(ran).toEqual(['a at 0']);
  pass(1);
  expect(ran).toEqual(['a at 0', 'c at 200']);
  schedule('d');
  pass(200);
  expect(ran.at(-1)).toBe('d at 400');
});

it('keeps one timer, however many come and run', () => {
  const { schedule, timers, pass } = paced();
  for (let count = 0; count < 200; count++) {
    schedule('frame');
    expect(timers()).toBeLessThanOrEqual(1);
    pass(7);
  }
});

it('runs at once what has to, forgets what waited for it, and counts from there', () => {
  const { ran, schedule, now, pass } = paced();
  schedule('a');
  schedule('b');
  pass(60);
  now('c');
  pass(60);
  schedule('d');
  pass(139);
  expect(ran).toEqual(['a at 0', 'c at 60']);
  pass(1);
  expect(ran).toEqual(['a at 0', 'c at 60', 'd at 260']);
});

it('leaves a timer without effect whose task has run meanwhile', () => {
  const { ran, schedule, pass, timers } = paced();
  schedule('a');
  pass(50);
  schedule('b');
  pass(50);
  schedule('c');
  for (let turn = 0; turn < 20; turn++) pass(50);
  expect([ran, timers()]).toEqual([['a at 0', 'c at 100'], 0]);
});
