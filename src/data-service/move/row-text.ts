import { bytesToHex } from '@noble/hashes/utils.js';
import type { BinaryRecord, TabularRow } from '../ports/stored-captures.ts';

/**
 * Writes a row as text that is the same for equal rows, whichever store gave them: fields sorted by name, bytes in hex, and numbers
 * also where JSON would lose them.
 * @param value what stores keep: null, booleans, numbers, texts, bytes, lists, objects
 * @returns the text; unequal values have unequal texts
 * @example
 * rowText({ kg: -0, a: [NaN, '1'] }) === rowText({ a: [NaN, '1'], kg: -0 }); // => true
 * rowText({ kg: -0 }) === rowText({ kg: 0 }); // => false
 */
export function rowText(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (value instanceof Uint8Array) return `x${bytesToHex(value)}`;
  if (Array.isArray(value)) return `[${value.map(rowText).join()}]`;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  fields.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${rowText(field)}`).join()}}`;
}

/**
 * Writes a capture as text: without the address of its bytes, which each store chooses for itself.
 * @param capture a file or a reading
 * @returns as `rowText`
 * @example
 * captureText({ id: 'a', blobAddress: '1' }) === captureText({ id: 'a', blobAddress: '2' }); // => true
 */
export const captureText = (capture: BinaryRecord | TabularRow): string =>
  rowText('blobAddress' in capture ? { ...capture, blobAddress: undefined } : capture);
