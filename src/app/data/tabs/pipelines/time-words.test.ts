import { expect, it } from 'vitest';
import { durationWords, windowWords } from './time-words.ts';

it.each([
  ['2026-03-28T22:50:00Z', '2026-03-28T23:50:00Z', '2026-03-28 22:50 – 23:50'],
  ['2026-03-28T23:50:00Z', '2026-03-29T00:50:00Z', '2026-03-28 23:50 – 2026-03-29 00:50'],
  ['2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z', '2026-01-01 00:00 – 2027-01-01 00:00'],
])('the window from %s to %s is %s', (start, end, words) => {
  expect(windowWords(new Date(start), new Date(end), true)).toBe(words);
});

it.each([
  [0, '0 ms'],
  [999, '999 ms'],
  [2_449, '2.4 s'],
  [65_000, '65.0 s'],
])('%i ms are %s', (ms, words) => {
  expect(durationWords(ms)).toBe(words);
});
