import { expect, it } from 'vitest';
import { toTimestamp } from './to-timestamp.ts';

it.each([
  [0, 0n, 0],
  [1_700_000_000_123_456, 1_700_000_000n, 123_456_000],
  [1_700_000_000_999_999, 1_700_000_000n, 999_999_000],
  [-1, -1n, 999_999_000],
  [-1_000_000, -1n, 0],
])('gives %i microseconds as seconds and nanoseconds', (micros, seconds, nanos) => {
  expect(toTimestamp(micros)).toMatchObject({ seconds, nanos });
});
