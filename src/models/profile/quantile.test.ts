import { expect, it } from 'vitest';
import { median, quantileOf } from './quantile.ts';

const hundred = Array.from({ length: 100 }, (_, at) => at + 1);

it.each([
  ['the median of an odd number', [1, 2, 9], 0.5, 2],
  ['the lower median of an even number', [1, 2, 9, 10], 0.5, 2],
  ['what 95 of 100 do not pass', hundred, 0.95, 95],
  ['the largest of few', [1, 2, 3], 0.95, 3],
  ['the only one', [7], 0.5, 7],
  ['the smallest', [3, 4], 0, 3],
  ['nothing', [], 0.5, 0],
])('gives %s', (_, sorted, q, expected) => expect(quantileOf(sorted, q)).toBe(expected));

it.each([
  ['an odd number', [10, 9, 2], 9],
  ['an even number', [100, 9, 20, 3], 9],
  ['one', [7], 7],
  ['none', [], 0],
])('takes the median of %s in any order', (_, values, middle) => {
  expect(median(values)).toBe(middle);
});
