import { isDocument, type QueryValue } from '../query-document.ts';

/**
 * A text that two values share iff they are equal, as mingo means it: -0 is 0, not-a-number is itself, and the order of fields does
 * not count. Its own hash fails for documents with a field `constructor`.
 */
export function valueKey(value: QueryValue): string {
  if (isScalar(value)) return scalarKey(value);
  let key = '';
  if (Array.isArray(value)) {
    for (const item of value) key += valueKey(item);
    return `[${key}]`;
  }
  if (isDocument(value)) {
    for (const field of Object.keys(value).sort()) key += scalarKey(field) + valueKey(value[field]);
    return `{${key}}`;
  }
  if (value instanceof Date) return `date${scalarKey(value.getTime())}`;
  if (value instanceof Uint8Array) return `bytes${scalarKey(value.join())}`;
  return `pattern${scalarKey(String(value))}`;
}

type Scalar = string | number | boolean | null | undefined;

/** Neither a document nor an array, a date, a pattern or bytes. */
export function isScalar(value: QueryValue): value is Scalar {
  return typeof value !== 'object' || value === null;
}

/** With its type and length, so that no two lists of values make the same text. */
function scalarKey(value: Scalar): string {
  const text = String(value);
  return `${value === null ? 'null' : typeof value}${text.length}:${text}`;
}
