import { timeText } from '../../../kit/words/figures.ts';
import { afterEach, expect, it, vi } from 'vitest';
import { intervalMs } from './data-filter.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

it('takes moments as the page writes them, wherever its reader is', () => {
  vi.stubEnv('TZ', 'Asia/Tokyo');
  expect(new Date(2026, 0, 1).toISOString()).toBe('2025-12-31T15:00:00.000Z'); // the zone is in force
  const { start, end } = intervalMs({ start: '2026-03-28T23:50:12', end: '2026-03-29T00:00' });
  expect([start, end].map(timeText)).toEqual(['2026-03-28 23:50:12 UTC', '2026-03-29 00:00:00 UTC']);
});
