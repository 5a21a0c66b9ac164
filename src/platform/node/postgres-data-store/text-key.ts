import { createHash } from 'node:crypto';

/** Most bytes (UTF-8) of a text that is its own key. Indexed rows have up to 2704, https://www.postgresql.org/docs/current/btree.html */
const longestPlain = 400;
const digestMark = '\u0001';

/** Whether PostgreSQL keeps a text as it is: U+0000 and half a surrogate pair have no place in its UTF-8. */
export const isStorable = (text: string): boolean => !/\0|\p{Surrogate}/u.test(text);

/**
 * What stands for a text of any length in an index: equal for equal texts only. Mostly the text itself, else its digest, so that
 * neither a long name nor an odd one is refused by PostgreSQL. What was the text is kept elsewhere in the row.
 */
export function textKey(text: string): string {
  const isPlain = isStorable(text) && !text.startsWith(digestMark) && Buffer.byteLength(text) <= longestPlain;
  // UTF-16 tells halves of surrogate pairs apart
  return isPlain ? text : digestMark + createHash('sha256').update(Buffer.from(text, 'utf16le')).digest('hex');
}

/** Whether a key of `textKey` is only a digest of its text. */
export const isDigest = (key: string): boolean => key.startsWith(digestMark);
