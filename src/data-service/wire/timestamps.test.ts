import { create } from '@bufbuild/protobuf';
import { TimestampSchema } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from 'vitest';
import { fromTimestamp, timestampFault, toMillis, toTimestamp } from './timestamps.ts';

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
    expect(fromTimestamp(wire)).toBe(time);
  });

  it.each([
    ['nothing', undefined],
    ['the zero time of Go and Python', timestamp(-62_135_596_800n)],
    ['the end of the year 1', timestamp(-62_104_060_801n, 999_999_999)],
  ])('takes %s as absent', (_, wire) => {
    expect(fromTimestamp(wire)).toBeNull();
  });

  it.each([
    [253_402_300_799n, 999_999_999],
    [253_402_300_799n, 999_983_000],
    [16_725_225_600n, 123_457_999],
    [-62_104_060_800n, 1_000],
    [-9_007_199_255n, 259_007_000],
  ])('rounds %d seconds and %d nanos down to a time that a number holds', (seconds, nanos) => {
    const read = toTimestamp(fromTimestamp(timestamp(seconds, nanos))!);
    const lost = (seconds - read.seconds) * 1_000_000_000n + BigInt(nanos - read.nanos);
    expect(lost).toBeGreaterThanOrEqual(0n);
    expect(lost).toBeLessThan(33_000n);
    expect(timestampFault(read)).toBeNull();
  });

  it.each([
    [timestamp(-(2n ** 63n)), 'is -9223372036854775808 seconds from 1970; give a time of the years 1 to 9999.'],
    [timestamp(-62_135_596_801n), 'years 1 to 9999'],
    [timestamp(253_402_300_800n), 'years 1 to 9999'],
    [timestamp(0n, -1), 'has -1 nanos; give 0 to 999999999'],
    [timestamp(0n, 1_000_000_000), 'has 1000000000 nanos'],
  ])('finds fault with %o', (wire, fault) => {
    expect(timestampFault(wire)).toContain(fault);
  });

  it.each([timestamp(-62_135_596_800n), timestamp(253_402_300_799n, 999_999_999), timestamp(0n)])(
    'finds no fault with %o',
    (wire) => {
      expect(timestampFault(wire)).toBeNull();
    },
  );

  it.each([0, 1, -1, 999_999, -1_000_001, 1_773_205_200_123_456])('writes %d and reads it back', (time) => {
    expect(fromTimestamp(toTimestamp(time))).toBe(time);
  });

  it('writes a time of the year 10000 as the end of 9999', () => {
    const stored = 253_402_300_800_000_000;
    expect(toTimestamp(stored)).toMatchObject({ seconds: 253_402_300_799n, nanos: 999_968_000 });
    expect(new Date(toMillis(stored)).toISOString()).toBe('9999-12-31T23:59:59.999Z');
  });
});
