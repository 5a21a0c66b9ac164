import type { JsonObject } from '@bufbuild/protobuf';
import { timestampMs, type Timestamp } from '@bufbuild/protobuf/wkt';

/** A reading as a table row: its time, its component, and a column for each value. */
export type ReadingRow = Readonly<Record<string, unknown>>;

/** The names of the first two columns. If a value has one of these names, all values get the prefix `readings.`. */
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
