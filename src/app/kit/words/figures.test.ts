import { afterEach, describe, expect, it, vi } from 'vitest';
import * as figures from './figures.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

it.each([
  [0, '0'],
  [35_400, '35,400'],
  [1_234.56785, '1,234.5679'],
])('writes the number %d as %s', (value, text) => expect(figures.numberText(value)).toBe(text));

it.each([
  [0, 'image', '0 images'],
  [1, 'image', '1 image'],
  [1, 'box', '1 box'],
  [10_800, 'box', '10,800 boxes'],
  [2, 'sketch', '2 sketches'],
  [2, 'class', '2 classes'],
  [2, 'entry', '2 entries'],
  [2, 'day', '2 days'],
  [1_200, 'sensor row', '1,200 sensor rows'],
])('counts %i %s as "%s"', (count, noun, words) => {
  expect(figures.counted(count, noun)).toBe(words);
});

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1035982, '1.04 MB'],
  [622_411, '622 kB'],
  [26_800_000, '26.8 MB'],
  [2_147_483_648, '2.15 GB'],
])('%i bytes are %s', (bytes, text) => expect(figures.byteText(bytes)).toBe(text));

it.each([
  [0, '0 %'],
  [0.001, '< 1 %'],
  [0.006, '1 %'],
  [1, '100 %'],
])('writes the part %d as %s', (share, text) => expect(figures.shareText(share)).toBe(text));

it.each([
  [0, '0 ms'],
  [0.043, '0.04 ms'],
  [0.996, '1.0 ms'],
  [9.94, '9.9 ms'],
  [9.96, '10 ms'],
  [142.4, '142 ms'],
  [999.6, '1.0 s'],
  [2_449, '2.4 s'],
  [59_940, '59.9 s'],
  [59_960, '1 min 0 s'],
  [200_400, '3 min 20 s'],
])('says that %d ms take %s', (ms, text) => expect(figures.durationText(ms)).toBe(text));

it.each([
  [-1, 'now'],
  [11_200, 'in 12 s'],
  [170_000, 'in 3 min'],
])('says that what is due in %i ms comes %s', (ms, text) => expect(figures.untilText(5_000 + ms, 5_000)).toBe(text));

it.each([
  [0, '0:00.00'],
  [999, '0:00.99'],
  [83_450, '1:23.45'],
  [3_600_000, '60:00.00'],
  [-5, '0:00.00'],
])('%i ms into a video is %s', (ms, text) => expect(figures.positionText(ms)).toBe(text));

describe('a moment', () => {
  it('is written alike in every zone, and names the zone', () => {
    vi.stubEnv('TZ', 'Asia/Tokyo');
    const moment = Date.UTC(2026, 2, 28, 23, 50, 12, 999);
    expect(figures.timeText(moment)).toBe('2026-03-28 23:50:12 UTC');
    expect(figures.exactTimeText(moment)).toBe('2026-03-28 23:50:12.999 UTC');
    expect(figures.minuteText(moment)).toBe('2026-03-28 23:50');
    expect(figures.clockText(moment)).toBe('23:50:12 UTC');
    expect([figures.timeText(null), figures.timeText(Number.NaN)]).toEqual(['', '']);
  });
});
