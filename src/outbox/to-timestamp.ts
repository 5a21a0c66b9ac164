import { create } from '@bufbuild/protobuf';
import { TimestampSchema, type Timestamp } from '@bufbuild/protobuf/wkt';

/** Whole microseconds since 1970 (until the year 2255, where a number holds no more of them) as the wire has them. */
export function toTimestamp(micros: number): Timestamp {
  const seconds = Math.floor(micros / 1e6);
  return create(TimestampSchema, { seconds: BigInt(seconds), nanos: (micros - seconds * 1e6) * 1000 });
}
