import { expect, it } from 'vitest';
import { recentReadings } from './query-sources.ts';

it('takes what was requested in the last 24 hours for recent', () => {
  const now = Date.UTC(2026, 10, 21, 12) * 1000;
  const yesterday = Date.UTC(2026, 10, 20, 12) * 1000;
  expect(recentReadings(now)).toEqual({ kind: 'readings', interval: { start: yesterday, end: null } });
});
