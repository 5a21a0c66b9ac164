import { create } from '@bufbuild/protobuf';
import { TimestampSchema, type Timestamp } from '@bufbuild/protobuf/wkt';

/**
 * Converts whole microseconds since 1970 to a protobuf timestamp (exact until the year 2255, where doubles end).
 */
export function toTimestamp(micros: number): Timestamp {
  const seconds = Math.floor(micros / 1e6);
  return create(TimestampSchema, { seconds: BigInt(seconds), nanos: (micros - seconds * 1e6) * 1000 });
}
