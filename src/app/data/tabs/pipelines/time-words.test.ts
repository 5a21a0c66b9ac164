import { afterEach, expect, it, vi } from 'vitest';
import { localWindowWords, windowWords } from './time-words.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

it.each([
  ['2026-03-28T22:50:00Z', '2026-03-28T23:50:00Z', '2026-03-28 22:50 – 23:50'],
  ['2026-03-28T23:50:00Z', '2026-03-29T00:50:00Z', '2026-03-28 23:50 – 2026-03-29 00:50'],
  ['2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z', '2026-01-01 00:00 – 2027-01-01 00:00'],
])('the window from %s to %s is %s', (start, end, words) => {
  expect(windowWords(new Date(start), new Date(end))).toBe(words);
});

it('says the window of another zone in the same form', () => {
  vi.stubEnv('TZ', 'Asia/Tokyo');
  const window = [new Date('2026-03-28T14:50:00Z'), new Date('2026-03-28T15:50:00Z')] as const;
  expect(windowWords(...window)).toBe('2026-03-28 14:50 – 15:50');
  expect(localWindowWords(...window)).toBe('2026-03-28 23:50 – 2026-03-29 00:50');
});
