import { expect, it } from 'vitest';
import { nextRuns } from './next-runs.ts';

const now = new Date('2026-03-28T23:50:30Z');
const previewed = (schedule: string) => {
  const preview = nextRuns(schedule, now, 5);
  if ('refused' in preview) return preview.refused;
  return preview.runs.map(({ windowStart, windowEnd, starts }) =>
    [windowStart, windowEnd, starts].map((date) => date.toISOString().slice(5, 16)).join(' '),
  );
};

it('shows windows without gaps, and runs two minutes after them, in UTC also where clocks change', () => {
  expect(previewed('0 * * * *')).toEqual([
    '03-28T23:00 03-29T00:00 03-29T00:02',
    '03-29T00:00 03-29T01:00 03-29T01:02',
    '03-29T01:00 03-29T02:00 03-29T02:02',
    '03-29T02:00 03-29T03:00 03-29T03:02',
    '03-29T03:00 03-29T04:00 03-29T04:02',
  ]);
});

it('shows windows of different lengths', () => {
  expect(previewed('0 6 * * 1-5').slice(0, 2)).toEqual([
    '03-27T06:00 03-30T06:00 03-30T06:02',
    '03-30T06:00 03-31T06:00 03-31T06:02',
  ]);
});

it.each([
  ['', /give five fields/],
  ['0 0 3 * * *', /give five fields/],
  ['61 * * * *', /is not cron/],
  ['0 0 31 2 *', /never fires/],
])('%j is refused in words', (schedule, words) => {
  expect(previewed(schedule)).toMatch(words);
});
