import { afterEach, expect, it, vi } from 'vitest';
import { bandPath, barPath, bucketAt, edgePath, rateText, ticksOf } from './timeline-path.ts';

afterEach(() => vi.unstubAllEnvs());

it('draws bars and their edge', () => {
  expect(barPath(Uint32Array.of(0, 2, 4), 4)).toBe('M1 1V0.5000h1V1zM2 1V0.0000h1V1z');
  expect(edgePath(Uint32Array.of(1, 4), 4)).toBe('M0 0.7500H1V0.0000H2');
});

it('places moments on the axis', () => {
  expect(bucketAt({ startMs: 1000, bucketMs: 500, bucketCount: 4 }, 2250)).toBe(2.5);
});

it('draws spans as one path', () => {
  const spans = [
    { startMs: 1000, endMs: 1500 },
    { startMs: 2000, endMs: 3000 },
  ];
  expect(bandPath({ startMs: 1000, bucketMs: 500, bucketCount: 4 }, spans)).toBe('M0 0H1V1H0zM2 0H4V1H2z');
});

it('has at most nine ticks, on whole local hours and days', () => {
  const startMs = new Date(2026, 5, 1, 9, 30).getTime();
  const of = (bucketMs: number, bucketCount: number) => ticksOf({ startMs, bucketMs, bucketCount });
  const week = of(3_600_000, 168);
  expect(week).toHaveLength(7);
  expect(week[0]).toBe(new Date(2026, 5, 2).getTime());
  expect(of(600_000, 20)[0]).toBe(new Date(2026, 5, 1, 10).getTime());
  for (const [bucketMs, count] of [
    [1000, 60],
    [60_000, 180],
    [3_600_000, 2160],
  ] as const) {
    expect(of(bucketMs, count).length).toBeLessThanOrEqual(13);
    expect(of(bucketMs, count).length).toBeGreaterThan(1);
  }
});

it('has its ticks at midnight also after clocks changed', () => {
  vi.stubEnv('TZ', 'Europe/Berlin');
  const of = (month: number, day: number) =>
    ticksOf({ startMs: new Date(2026, month, day).getTime(), bucketMs: 3_600_000, bucketCount: 150 }).map((tick) => {
      const at = new Date(tick);
      return [at.getDate(), at.getHours()];
    });
  // Back on 25 October, ahead on 29 March.
  expect(of(9, 23)).toEqual([23, 24, 25, 26, 27, 28, 29].map((day) => [day, 0]));
  expect(of(2, 27)).toEqual([27, 28, 29, 30, 31, 1, 2].map((day) => [day, 0]));
});

it('says counts by the length of a bucket', () => {
  expect([rateText(3, 3_600_000), rateText(3, 600_000), rateText(3, 1000)]).toEqual([
    '3 an hour',
    '3 in 10 min',
    '3 in 1 s',
  ]);
});
