/** A value as queries see it: no BSON classes, numbers are doubles. */
export type QueryValue =
  string | number | boolean | null | undefined | Date | RegExp | Uint8Array | readonly QueryValue[] | QueryDocument;

export interface QueryDocument {
  readonly [field: string]: QueryValue;
}

/** One stage of a pipeline: an object of a single key, the stage's name. */
export type QueryStage = QueryDocument;

/** True for a plain object: neither an array nor a date, a pattern or bytes. */
export function isDocument(value: unknown): value is QueryDocument {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Date) &&
    !(value instanceof RegExp) &&
    !(value instanceof Uint8Array)
  );
}
