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
