import { describe, expect, it } from 'vitest';
import { cocoTime, goTime, parseTime } from './timestamps.ts';

describe('parseTime', () => {
  it.each([
    ['2024-05-01T12:34:56Z', '2024-05-01T12:34:56Z'],
    ['2024-05-01T12:34:56.123456789Z', '2024-05-01T12:34:56.123456789Z'],
    ['2024-05-01 12:34:56.789 +0000 UTC', '2024-05-01T12:34:56.789Z'],
    ['2024-05-01 14:34:56 +0200 CEST', '2024-05-01T12:34:56Z'],
    ['2024-05-01T00:30:00-05:30', '2024-05-01T06:00:00Z'],
    ['2013-11-14 17:02:52', '2013-11-14T17:02:52Z'],
    ['2024-05-01T12:34:56.500Z', '2024-05-01T12:34:56.5Z'],
    ['0001-01-01 00:00:00 +0000 UTC', null],
    ['2024-13-01T00:00:00Z', null],
    ['yesterday', null],
    ['', null],
    [1714566896, null],
    [undefined, null],
  ])('reads %j as %j', (written, time) => {
    expect(parseTime(written)).toBe(time);
  });

  it.each(['2024-05-01T12:34:56Z', '2024-05-01T12:34:56.000000001Z'])(
    'reads %s back as Go and COCO write it',
    (time) => {
      expect(parseTime(goTime(time))).toBe(time);
      expect(parseTime(cocoTime(time))).toBe(time);
    },
  );
});
