import { expect, it } from 'vitest';
import { AttemptLimit } from './attempt-limit.ts';

it('allows a burst, then so many a minute, each address for itself', () => {
  let nowMs = 0;
  const limit = new AttemptLimit(3, 60, () => nowMs);
  expect([1, 2, 3, 4].map(() => limit.take('a'))).toEqual([true, true, true, false]);
  expect(limit.take('b')).toBe(true);
  nowMs = 999;
  expect(limit.allows('a')).toBe(false);
  nowMs = 1000;
  expect(limit.allows('a')).toBe(true);
  expect([1, 2].map(() => limit.take('a'))).toEqual([true, false]);
  nowMs = 1_000_000;
  expect([1, 2, 3, 4].map(() => limit.take('a'))).toEqual([true, true, true, false]);
});

it('keeps the address that tries on in mind, whatever crowd comes by', () => {
  const limit = new AttemptLimit(1, 1, () => 0);
  limit.take('persistent');
  for (let number = 0; number < 30_000; number++) {
    limit.take(`crowd-${number}`);
    if (number % 1000 === 0) expect(limit.take('persistent')).toBe(false);
  }
});

it('forgets an address after 10,000 others', () => {
  const limit = new AttemptLimit(1, 1, () => 0);
  limit.take('quiet');
  const crowd = (from: number, to: number): void => {
    for (let number = from; number < to; number++) limit.take(`crowd-${number}`);
  };
  crowd(0, 9_999);
  expect(limit.allows('quiet')).toBe(false);
  crowd(9_999, 10_000);
  expect(limit.allows('quiet')).toBe(true);
});

it('never holds more than the burst, however much is given back', () => {
  const limit = new AttemptLimit(2, 1, () => 0);
  limit.take('a');
  for (let times = 0; times < 3; times++) limit.giveBack('a');
  expect([1, 2, 3].map(() => limit.take('a'))).toEqual([true, true, false]);
});

it('counts all addresses of an IPv6 network of 64 bits as one', () => {
  const limit = new AttemptLimit(1, 1, () => 0);
  expect(['2001:db8::1', '2001:db8::ffff:2', '2001:db8:0:1::1'].map((each) => limit.take(each))).toEqual([
    true,
    false,
    true,
  ]);
  limit.giveBack('2001:db8::3');
  expect(limit.allows('2001:db8::4')).toBe(true);
});
