import type { JsonObject } from '@bufbuild/protobuf';
import { timestampMs, type Timestamp } from '@bufbuild/protobuf/wkt';

/** A reading as a line of a table: its time, what it comes from, and its values side by side. */
export type ReadingRow = Readonly<Record<string, unknown>>;

/** The names of the columns before the readings. A reading of such a name is put behind `readings.`. */
const timeName = 'time';
const componentName = 'component';

export function readingRow(
  time: Timestamp | undefined,
  component: string,
  payload: JsonObject | undefined,
): ReadingRow {
  const inner = payload?.['readings'];
  const values = isObject(inner) ? inner : (payload ?? {});
  const clashes = timeName in values || componentName in values;
  return {
    [timeName]: time ? new Date(timestampMs(time)) : null,
    [componentName]: component,
    ...(clashes ? { readings: values } : values),
  };
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
