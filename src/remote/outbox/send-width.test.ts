import { expect, it } from 'vitest';
import { SendWidth } from './send-width.ts';

it('sends one entry to a target at first, twice as many after each success, and eight at most', () => {
  const width = new SendWidth();
  const seen = Array.from({ length: 6 }, () => {
    const now = width.of('a');
    width.taken('a');
    return now;
  });
  expect(seen).toEqual([1, 2, 4, 8, 8, 8]);
});

it('tries a target that failed with one entry again, and leaves others alone', () => {
  const width = new SendWidth();
  for (const target of ['a', 'b', 'b']) width.taken(target);
  width.failed('b');
  expect([width.of('a'), width.of('b')]).toEqual([2, 1]);
});
