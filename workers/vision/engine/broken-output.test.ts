import { expect, it } from 'vitest';
import { float32 } from '../../../tests/fixed-session.ts';
import { brokenOutput } from './broken-output.ts';

const heads = (...values: number[]) => ({ raw: float32([1, values.length], values) });
const right = heads(1, 2, 3, 4, 5, 0, 0, 0);

it.each<[string, ReturnType<typeof heads>, string]>([
  ['a value that is no number', heads(1, 2, NaN, 4, 5, 0, 0, 0), 'The GPU gave 1 of 8 values of “raw” that are not numbers.'], // prettier-ignore
  ['overflows', heads(1, Infinity, -Infinity, 4, 5, 0, 0, 0), 'The GPU gave 2 of 8 values of “raw” that are not numbers.'], // prettier-ignore
  ['zeros', heads(0, 0, 0, 0, 0, 0, 0, 0), 'The GPU gave zeros alone as “raw”, where the CPU gives other values.'],
  ['other values', heads(9, 2, 3, 4, 5, 0, 0, 0), ''],
  ['zeros but for one', heads(0, 0, 0, 0, 0, 0, 0, 1), ''],
])('says of %s what no rounding does', (_, given, said) => {
  expect(brokenOutput(right, given)).toBe(said);
});

it('takes what the CPU gives too, and zeros of outputs that are sparse or small, for nothing broken', () => {
  expect(brokenOutput(heads(NaN, 1, 2, 3, 4, 5, 6, 7), heads(NaN, 1, 2, 3, 4, 5, 6, 7))).toBe('');
  expect(brokenOutput(heads(1, 2, 3, 4, 0, 0, 0, 0), heads(0, 0, 0, 0, 0, 0, 0, 0))).toBe('');
  expect(brokenOutput(heads(1, 2), heads(0, 0))).toBe('');
});
