import { base64Encode } from '@bufbuild/protobuf/wire';
import { serialize } from 'bson';
import type { QueryDocument, QueryValue } from './query-document.ts';
import { queryTooLarge } from './query-error.ts';
import type { OperatorBounds } from './query-limits.ts';

/** MongoDB's bound on one document. */
const maxDocumentBytes = 16 * 1024 * 1024;

/**
 * One row of an answer as a BSON document of plain types, which every client can read: whole numbers up to 32 bits as
 * int32, all others as double; a pattern as its text `/source/flags`; bytes as base64; a missing field stays missing
 * and a missing element becomes null.
 * Throws QueryError `resource-exhausted` for a document over 16 MiB.
 */
export function encodeRow(row: QueryDocument, bounds: OperatorBounds): Uint8Array {
  const plain = plainDocument(row, { left: bounds.documentValues });
  let bytes: Uint8Array;
  try {
    bytes = serialize(plain, { ignoreUndefined: true });
  } catch (cause) {
    // bson writes into a buffer of 17 MiB and fails with RangeError past its end
    if (cause instanceof RangeError) throw queryTooLarge('A row of the answer is larger than 16 MiB.', cause);
    throw cause;
  }
  if (bytes.length > maxDocumentBytes) throw queryTooLarge('A row of the answer is larger than 16 MiB.');
  return bytes;
}

/** The number of values that a row may still have: a document may contain the same value many times. */
interface Budget {
  left: number;
}

function plainDocument(document: QueryDocument, budget: Budget): QueryDocument {
  return Object.fromEntries(Object.entries(document).map(([field, value]) => [field, plainOutput(value, budget)]));
}

function plainOutput(value: QueryValue, budget: Budget): QueryValue {
  if (budget.left-- === 0) throw queryTooLarge('A row of the answer holds too many values.');
  if (value === null || typeof value !== 'object') return value;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value;
  if (Array.isArray(value)) return value.map((item: QueryValue) => plainOutput(item, budget) ?? null);
  if (value instanceof RegExp) return String(value);
  if (value instanceof Uint8Array) return base64Encode(value);
  return plainDocument(value as QueryDocument, budget);
}
