import { expect, it } from 'vitest';
import { parseDuration } from './duration.ts';

it.each([
  ['2s', 2000],
  ['90m', 5_400_000],
  ['1h', 3_600_000],
  ['30d', 2_592_000_000],
  ['2w', 1_209_600_000],
  ['1y', 31_536_000_000],
  ['99999s', 99_999_000],
])('%s are %i ms', (text, ms) => {
  expect(parseDuration(text, ['s', 'm', 'h', 'd', 'w', 'y'])).toBe(ms);
});

it.each(['', 'h', '1', '0h', '-1h', '1.5h', '1 h', '1hh', '100000h', '1d', 'h1', 'forever'])('%j is none', (text) => {
  expect(parseDuration(text, ['s', 'h'])).toBeNull();
});
