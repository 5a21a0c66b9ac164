import { deserialize } from 'bson';
import { plainValue } from './plain-value.ts';
import type { QueryValue } from '../query-document.ts';
import type { StructObject, StructValue } from '../../ports/stored-captures.ts';

// A date's distance from the epoch is at most this many ms (ECMA-262, section 21.4.1.1).
const mostMs = 8.64e15;
const mark = '\u0000';

/**
 * A date as text, as in the indexes of sinks; texts sort like the dates. Other texts of a document may look like
 * one: what an index finds are candidates.
 */
export const dateText = (date: Date): string => mark + String(date.getTime() + mostMs).padStart(17, '0');

/** Sorts after every date as text. */
export const beyondDates = '\u0001';

/** A document of a sink with its dates as texts, for building indexes. */
export const indexedSinkDocument = (document: Uint8Array): StructObject =>
  withDateTexts(plainValue(deserialize(document))) as StructObject;

function withDateTexts(value: QueryValue): StructValue {
  if (value instanceof Date) return dateText(value);
  if (Array.isArray(value)) return (value as readonly QueryValue[]).map(withDateTexts);
  if (typeof value === 'object' && value !== null && !(value instanceof RegExp) && !(value instanceof Uint8Array))
    return Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, withDateTexts(inner)]));
  return typeof value === 'object' || value === undefined ? null : value;
}
