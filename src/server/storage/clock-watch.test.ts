import { expect, it } from 'vitest';
import type { Micros } from '../../data-service/ports/stored-captures.ts';
import { ClockWatch } from './clock-watch.ts';

const hour = 3600e6;
const start = 1.77e15;

function watched(lastSeen: Micros | null) {
  const kept = { time: lastSeen };
  const clock = { time: start };
  const seen = { read: async () => kept.time, write: async (time: Micros) => void (kept.time = time) };
  return { kept, clock, watch: new ClockWatch(seen, { now: () => clock.time }) };
}

it.each([null, start, start - 24 * hour, start + 900 * hour])(
  'believes a clock that was last seen at %s',
  async (at) => {
    const { kept, watch } = watched(at);
    expect(await watch.look()).toBeNull();
    expect([kept.time, watch.leapSeconds]).toEqual([start, 0]);
  },
);

it('does not believe one that leapt by more than a day, however long it goes on so, until a person does', async () => {
  const { kept, clock, watch } = watched(start - 24 * hour - 1);
  expect(await watch.look()).toEqual({ lastSeen: start - 24 * hour - 1, now: start });
  clock.time += 60e6;
  expect(await watch.look()).not.toBeNull();
  expect([kept.time, watch.leapSeconds]).toEqual([start - 24 * hour - 1, 24 * 3600 + 60]);
  kept.time = clock.time; // by "sightglass clock confirm"
  expect(await watch.look()).toBeNull();
  expect(watch.leapSeconds).toBe(0);
});

it('believes one again that was set right', async () => {
  const { kept, clock, watch } = watched(start);
  clock.time += 400 * 24 * hour;
  expect(await watch.look()).not.toBeNull();
  clock.time = start + hour;
  expect(await watch.look()).toBeNull();
  expect(kept.time).toBe(start + hour);
});
