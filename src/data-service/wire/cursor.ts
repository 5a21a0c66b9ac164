import { base64url } from 'jose';
import type { Position } from '../ports/capture-filter.ts';
import { invalidArgument } from './invalid-argument.ts';

/** Writes a position as the opaque `last` of a page. */
export const toCursor = ({ time, id }: Position): string => base64url.encode(`${time}/${id}`);

/**
 * The position behind `last`, null for an empty one: the first page.
 * @throws ConnectError InvalidArgument for a text that no page ended with
 */
export function fromCursor(last: string): Position | null {
  if (last === '') return null;
  const match = /^(-?\d{1,18})\/([\x21-\x7e]+)$/.exec(decode(last));
  if (match === null)
    throw invalidArgument(`last is ${JSON.stringify(last.slice(0, 80))}; give the last of a page, or nothing.`);
  return { time: Number(match[1]), id: match[2]! };
}

function decode(text: string): string {
  try {
    return new TextDecoder().decode(base64url.decode(text));
  } catch {
    return '';
  }
}
