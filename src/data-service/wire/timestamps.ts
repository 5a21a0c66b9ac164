import { create } from '@bufbuild/protobuf';
import { TimestampSchema, type Timestamp } from '@bufbuild/protobuf/wkt';
import type { Interval, Micros } from '../ports/capture.ts';
import { invalidArgument } from './invalid-argument.ts';

// Go's zero time and Python's datetime.min lie in year 1: clients send them for "no time".
const startOfYear2Seconds = -62104060800n;
const microsPerSecond = 1_000_000n;
const endOfYear9999Seconds = 253402300800n;

/**
 * The time, in whole microseconds, or null if it is absent or lies in year 1.
 * @throws ConnectError InvalidArgument outside the years 1 to 9999, naming the field
 */
export function fromTimestamp(timestamp: Timestamp | undefined, field: string): Micros | null {
  if (timestamp === undefined || timestamp.seconds < startOfYear2Seconds) return null;
  if (timestamp.seconds >= endOfYear9999Seconds) {
    throw invalidArgument(`${field} is ${timestamp.seconds} seconds after 1970; give a time before the year 10000.`);
  }
  return Number(timestamp.seconds * microsPerSecond + BigInt(Math.trunc(timestamp.nanos / 1000)));
}

export function toTimestamp(time: Micros): Timestamp {
  // In bigint: beyond the year 2255 a number of microseconds divides inexactly.
  const micros = BigInt(time);
  const fraction = ((micros % microsPerSecond) + microsPerSecond) % microsPerSecond;
  return create(TimestampSchema, {
    seconds: (micros - fraction) / microsPerSecond,
    nanos: Number(fraction) * 1000,
  });
}

/** An absent interval, or an absent end of one, is open. */
export function fromInterval(
  interval: { readonly start?: Timestamp | undefined; readonly end?: Timestamp | undefined } | undefined,
  field: string,
): Interval {
  return {
    start: fromTimestamp(interval?.start, `${field}.start`),
    end: fromTimestamp(interval?.end, `${field}.end`),
  };
}
