import { damaged } from './png-error.ts';

/** Codes of up to this many bits are found in the first table; longer ones need a second table. */
const rootBits = 10;
const longestCode = 15;
/** A second table is at most 2⁵ entries, and each of at most 286 codes is in one with another. */
const mostEntries = 2 ** rootBits + 143 * 2 ** (longestCode - rootBits);

/** Flag in an entry: its value is the start of a second table. */
export const isLink = 16;

/**
 * The codes of a deflate block (RFC 1951 §3.2.2) as tables by the next bits of the stream. An entry is `value << 5 | length`: the
 * symbol of a code of `length` bits; of a link, the start of the second table. 0: no code begins so.
 */
export class HuffmanCodes {
  readonly entries = new Uint32Array(mostEntries);
  /** index width of the first table */
  bits = 0;
  mask = 0;
  /** mask of the index into a second table */
  linkMask = 0;

  /**
   * Builds the tables from code lengths. A single code of one bit is accepted, and so is no code at all.
   * @throws PngError for lengths that leave codes unused or assign too many
   */
  set(lengths: Uint8Array): void {
    const counts = new Uint16Array(longestCode + 1);
    for (const length of lengths) if (length > 0) counts[length]!++;
    let longest = longestCode;
    while (longest > 0 && counts[longest] === 0) longest--;
    const next = new Uint16Array(longestCode + 2);
    for (let length = 1, code = 0; length <= longest; length++) {
      next[length] = code;
      code = (code + counts[length]!) * 2;
      if (code > 2 ** (length + 1)) throw badCodes();
      if (length === longest && code !== 2 ** (length + 1) && !(longest === 1 && counts[1] === 1)) throw badCodes();
    }
    this.bits = Math.min(Math.max(longest, 1), rootBits);
    this.mask = 2 ** this.bits - 1;
    const linkBits = Math.max(0, longest - rootBits);
    this.linkMask = 2 ** linkBits - 1;
    this.entries.fill(0, 0, 2 ** this.bits);
    let used = 2 ** this.bits;
    for (const [symbol, length] of lengths.entries()) {
      if (length === 0) continue;
      const code = reversed(next[length]!++, length);
      const entry = (symbol << 5) | length;
      if (length <= this.bits) {
        for (let at = code; at <= this.mask; at += 2 ** length) this.entries[at] = entry;
        continue;
      }
      const root = code & this.mask;
      if (this.entries[root] === 0) {
        this.entries[root] = (used << 5) | isLink;
        used += 2 ** linkBits;
      }
      const start = this.entries[root]! >>> 5;
      for (let at = code >>> this.bits; at <= this.linkMask; at += 2 ** (length - this.bits)) {
        this.entries[start + at] = entry;
      }
    }
  }
}

function reversed(code: number, length: number): number {
  let bits = 0;
  for (let i = 0; i < length; i++) bits |= ((code >>> i) & 1) << (length - 1 - i);
  return bits;
}

function badCodes(): Error {
  return damaged('The PNG’s compressed pixels are damaged: codes of a block do not fit each other. Fetch it again.');
}
