import type { ByteReader } from './byte-reader.ts';
import { zigZag } from './zig-zag.ts';
import { longestCode, lookupBits, signedValue, valueLookupBits, type HuffmanTable } from './huffman-tables.ts';
import { damaged } from './jpeg-error.ts';

const valueLookupMask = (1 << valueLookupBits) - 1;
const sixteenZeros = 0xf0;

/**
 * Reads a scan's entropy-coded bits, the highest bit of a byte first (ITU-T T.81 F.2.2). It reads bytes ahead of
 * the bits that it needs and stops before a marker; a scan that needs bits beyond a marker is damaged.
 */
export class EntropyReader {
  readonly #reader: ByteReader;
  readonly #bytes: Uint8Array;
  /** the next byte to take in */
  #next: number;
  /** The lowest `#left` of these are unread. */
  #bits = 0;
  #left = 0;

  constructor(reader: ByteReader) {
    this.#reader = reader;
    this.#bytes = reader.bytes;
    this.#next = reader.at;
  }

  /** The next symbol of a table. */
  symbol(table: HuffmanTable): number {
    // With at least 24 bits read ahead, the value after a short code needs no further check.
    if (this.#left < 24) this.#takeIn();
    if (this.#left < lookupBits) return this.#longSymbol(table, 1);
    const entry = table.lookup[(this.#bits >>> (this.#left - lookupBits)) & 0xff]!;
    if (entry === 0) return this.#longSymbol(table, lookupBits + 1);
    this.#left -= entry & 0xff;
    return entry >> 8;
  }

  /** A number of 0 to 16 bits whose first half is negative (RECEIVE and EXTEND, T.81 F.2.2.1). */
  signed(bits: number): number {
    if (bits === 0) return 0;
    return signedValue(this.unsigned(bits), bits);
  }

  /** A number of 1 to 16 bits. */
  unsigned(bits: number): number {
    this.#need(bits);
    this.#left -= bits;
    return (this.#bits >>> this.#left) & ((1 << bits) - 1);
  }

  /**
   * Reads AC coefficients from `place` to `last` in zig-zag order, each a run of zeros and a value (T.81 F.2.2.2), and writes
   * the values, times their factors, into a block that lies row by row at `at`.
   *
   * @returns how many bits of an end-of-band run follow, where a symbol says that the rest is zero; -1 without one
   */
  coefficients(
    table: HuffmanTable,
    factors: Int32Array,
    first: number,
    last: number,
    block: Int32Array,
    at: number,
  ): number {
    // Most of the decoding time is spent here: values that change in each iteration are local variables.
    const { valueLookup } = table;
    const bytes = this.#bytes;
    let next = this.#next;
    let bits = this.#bits;
    let left = this.#left;
    for (let place = first; place <= last; place++) {
      while (left < 24 && next < bytes.length) {
        const byte = bytes[next]!;
        if (byte === 0xff && bytes[next + 1] !== 0) break;
        next += byte === 0xff ? 2 : 1;
        bits = (bits << 8) | byte;
        left += 8;
      }
      const entry = left < valueLookupBits ? 0 : valueLookup[(bits >>> (left - valueLookupBits)) & valueLookupMask]!;
      const placeOfEntry = place + ((entry >> 8) & 15);
      if (entry !== 0 && placeOfEntry <= last) {
        place = placeOfEntry;
        left -= entry & 15;
        block[at + zigZag[place]!] = Math.imul(entry >> 16, factors[place]!);
        continue;
      }
      this.#next = next;
      this.#bits = bits;
      this.#left = left;
      const symbol = this.symbol(table);
      const valueBits = symbol & 15;
      if (valueBits === 0 && symbol !== sixteenZeros) return symbol >> 4;
      place += symbol >> 4;
      if (place > last) return -1;
      if (valueBits > 0) block[at + zigZag[place]!] = Math.imul(this.signed(valueBits), factors[place]!);
      next = this.#next;
      bits = this.#bits;
      left = this.#left;
    }
    this.#next = next;
    this.#bits = bits;
    this.#left = left;
    return -1;
  }

  /** Drops the rest of the current byte, and returns the bytes that were read ahead. */
  release(): void {
    const start = this.#reader.at;
    for (; this.#left >= 8; this.#left -= 8) {
      this.#next--;
      const isStuffing = this.#bytes[this.#next] === 0 && this.#next > start && this.#bytes[this.#next - 1] === 0xff;
      if (isStuffing) this.#next--;
    }
    this.#reader.at = this.#next;
  }

  /**
   * Reads as many whole bytes as there is room for. FF00 is the byte FF, and FF before anything else is a marker
   * (T.81 B.1.1.5).
   */
  #takeIn(): void {
    while (this.#left <= 24 && this.#next < this.#bytes.length) {
      const byte = this.#bytes[this.#next]!;
      if (byte === 0xff && this.#bytes[this.#next + 1] !== 0) return;
      this.#next += byte === 0xff ? 2 : 1;
      this.#bits = (this.#bits << 8) | byte;
      this.#left += 8;
    }
  }

  #longSymbol({ lastCodes, symbolOffsets, symbols }: HuffmanTable, shortest: number): number {
    if (symbols.length === 0) throw damaged('The JPEG has a scan by a Huffman table that it does not define.');
    for (let length = shortest; length <= longestCode; length++) {
      this.#need(length);
      const code = (this.#bits >>> (this.#left - length)) & ((1 << length) - 1);
      if (code > lastCodes[length]!) continue;
      this.#left -= length;
      return symbols[code + symbolOffsets[length]!]!;
    }
    throw damaged(
      `The JPEG has no such Huffman code before byte ${this.#next}. Its pixels are damaged: fetch it again.`,
    );
  }

  #need(bits: number): void {
    if (this.#left >= bits) return;
    this.#takeIn();
    if (this.#left >= bits) return;
    throw damaged(`The JPEG's scan ends early, at byte ${this.#next}. The file is cut off or damaged: fetch it again.`);
  }
}
