import { create } from '@bufbuild/protobuf';
import { TimestampSchema } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from 'vitest';
import { fromTimestamp, toTimestamp } from './timestamps.ts';

const timestamp = (seconds: bigint, nanos = 0) => create(TimestampSchema, { seconds, nanos });

describe('times on the wire', () => {
  it.each([
    ['the epoch', timestamp(0n), 0],
    ['a microsecond after', timestamp(0n, 1000), 1],
    ['a microsecond before', timestamp(-1n, 999_999_000), -1],
    ['nanoseconds, cut', timestamp(1n, 1999), 1_000_001],
    ['a capture of today', timestamp(1_773_205_200n, 123_456_000), 1_773_205_200_123_456],
    ['the first second of the year 2', timestamp(-62_104_060_800n), -62_104_060_800_000_000],
  ])('reads %s', (_, wire, time) => {
    expect(fromTimestamp(wire, 'time')).toBe(time);
  });

  it.each([
    ['nothing', undefined],
    ['the zero time of Go and Python', timestamp(-62_135_596_800n)],
    ['the end of the year 1', timestamp(-62_104_060_801n, 999_999_999)],
    ['the least number of seconds', timestamp(-(2n ** 63n))],
  ])('takes %s as absent', (_, wire) => {
    expect(fromTimestamp(wire, 'time')).toBeNull();
  });

  it('refuses times beyond the year 9999', () => {
    expect(() => fromTimestamp(timestamp(253_402_300_800n), 'interval.end')).toThrow('interval.end is 253402300800');
  });

  it.each([0, 1, -1, 999_999, -1_000_001, 1_773_205_200_123_456])('writes %d and reads it back', (time) => {
    expect(fromTimestamp(toTimestamp(time), 'time')).toBe(time);
  });

  it('writes valid times to the end of the year 9999', () => {
    const { seconds, nanos } = toTimestamp(fromTimestamp(timestamp(253_402_300_799n, 999_999_999), 'time')!);
    expect(Number(seconds)).toBeCloseTo(253_402_300_800, -1);
    expect(nanos).toBeGreaterThanOrEqual(0);
    expect(nanos).toBeLessThan(1e9);
  });
});
