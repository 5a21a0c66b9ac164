import { create } from '@bufbuild/protobuf';
import { TimestampSchema, type Timestamp } from '@bufbuild/protobuf/wkt';
import type { Interval, Micros } from '../ports/stored-captures.ts';

const startOfYear1Seconds = -62135596800n;
// Go's zero time and Python's datetime.min lie in year 1: clients send them for "no time".
const startOfYear2Seconds = -62104060800n;
const endOfYear9999Seconds = 253402300800n;
const microsPerSecond = 1_000_000n;
const nanosPerSecond = 1_000_000_000;

/**
 * Why a timestamp is invalid by the rules of protobuf (google/protobuf/timestamp.proto), and what to send instead;
 * null: it is valid.
 */
export function timestampFault({ seconds, nanos }: Timestamp): string | null {
  if (seconds < startOfYear1Seconds || seconds >= endOfYear9999Seconds)
    return `is ${seconds} seconds from 1970; give a time of the years 1 to 9999.`;
  if (nanos < 0 || nanos >= nanosPerSecond)
    return `has ${nanos} nanos; give 0 to 999999999, which count forward from the second.`;
  return null;
}

/**
 * The time in microseconds, rounded down; null: it is absent or lies in year 1.
 * @param timestamp one without a `timestampFault`, as every timestamp of a request
 */
export function fromTimestamp(timestamp: Timestamp | undefined): Micros | null {
  if (timestamp === undefined || timestamp.seconds < startOfYear2Seconds) return null;
  return roundedDown(timestamp.seconds * microsPerSecond + BigInt(Math.trunc(timestamp.nanos / 1000)));
}

// Beyond the year 2255 not every whole number of microseconds is a double: the nearest one may lie in the year 10000.
function roundedDown(micros: bigint): Micros {
  const nearest = Number(micros);
  return BigInt(nearest) <= micros ? nearest : nearest - 2 ** (Math.floor(Math.log2(Math.abs(nearest))) - 52);
}

/** The latest time that clients can read, in microseconds and in milliseconds. */
const latest: Micros = roundedDown(endOfYear9999Seconds * microsPerSecond - 1n);
const latestMillis = Number(endOfYear9999Seconds) * 1000 - 1;

/** A time of the year 10000, as earlier versions have stored some, is written as the end of 9999: clients read no later ones. */
export function toTimestamp(time: Micros): Timestamp {
  // In bigint: beyond the year 2255 a number of microseconds divides inexactly.
  const micros = BigInt(Math.min(time, latest));
  const fraction = ((micros % microsPerSecond) + microsPerSecond) % microsPerSecond;
  return create(TimestampSchema, { seconds: (micros - fraction) / microsPerSecond, nanos: Number(fraction) * 1000 });
}

/** The time as documents and BSON have it, to the millisecond; one of the year 10000 as the end of 9999, likewise. */
export const toMillis = (time: Micros): number => Math.min(Math.floor(time / 1000), latestMillis);

/** An absent interval, or an absent end of one, is open. */
export const fromInterval = (
  interval: { readonly start?: Timestamp | undefined; readonly end?: Timestamp | undefined } | undefined,
): Interval => ({ start: fromTimestamp(interval?.start), end: fromTimestamp(interval?.end) });
