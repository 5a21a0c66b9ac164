import { afterEach, expect, it, vi } from 'vitest';
import { intervalMs } from '../filters/data-filter.ts';
import { timeText } from './time-text.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

it('writes a moment alike in every zone, and names the zone', () => {
  vi.stubEnv('TZ', 'Asia/Tokyo');
  expect(timeText(Date.UTC(2026, 2, 28, 23, 50, 12, 999))).toBe('2026-03-28 23:50:12 UTC');
  expect([timeText(null), timeText(Number.NaN)]).toEqual(['', '']);
});

it('is what a filter takes, wherever its reader is', () => {
  vi.stubEnv('TZ', 'Asia/Tokyo');
  expect(new Date(2026, 0, 1).toISOString()).toBe('2025-12-31T15:00:00.000Z'); // the zone is in force
  const { start, end } = intervalMs({ start: '2026-03-28T23:50:12', end: '2026-03-29T00:00' });
  expect([timeText(start), timeText(end)]).toEqual(['2026-03-28 23:50:12 UTC', '2026-03-29 00:00:00 UTC']);
});
