import { damaged } from './jpeg-error.ts';

export const longestCode = 16;
export const lookupBits = 8;
export const valueLookupBits = 10;

/** Codes of one table (ITU-T T.81 C.2), by their first bits where they are short, by their length where they are long. */
export interface HuffmanTable {
  /** by the next 8 bits: symbol << 8 | bits of its code; 0 where the code is longer */
  readonly lookup: Uint16Array;
  /**
   * By the next 10 bits, of an AC table: value << 16 | zeros before it << 8 | bits of code and value; 0 where they are more
   * than 10, or the code stands for no value.
   */
  readonly valueLookup: Int32Array;
  readonly symbols: Uint8Array;
  /** by the length of a code: the last code, -1 where none has this length; from code to place in `symbols` */
  readonly lastCodes: Int32Array;
  readonly symbolOffsets: Int32Array;
}

/** Stands for a table that no segment defined: reading by it is an error. */
export const undefinedHuffmanTable = huffmanTable(new Uint8Array(longestCode), new Uint8Array(0));

export interface HuffmanTables {
  readonly dc: (HuffmanTable | undefined)[];
  readonly ac: (HuffmanTable | undefined)[];
}

/** Stores the tables of a DHT segment (ITU-T T.81 B.2.4.2). */
export function readHuffmanTables(segment: Uint8Array, tables: HuffmanTables, isBaseline: boolean): void {
  for (let at = 0; at < segment.length;) {
    const [kind, name] = [segment[at]! >> 4, segment[at]! & 15];
    const counts = segment.subarray(at + 1, at + 1 + longestCode);
    if (counts.length < longestCode)
      throw damaged(`The JPEG has a Huffman table that ends after ${counts.length} bytes.`);
    if (kind > 1) throw damaged(`The JPEG defines a Huffman table of class ${kind}; 0 and 1 exist.`);
    const last = isBaseline ? 1 : 3;
    if (name > last) throw damaged(`The JPEG defines Huffman table ${name}; ${last} is the last.`);
    const codes = counts.reduce((sum, count) => sum + count, 0);
    if (codes === 0 || codes > 256)
      throw damaged(`The JPEG defines a Huffman table of ${codes} codes; 1 to 256 can be.`);
    at += 1 + longestCode;
    const symbols = segment.subarray(at, at + codes);
    if (symbols.length < codes)
      throw damaged(`The JPEG has ${symbols.length} symbols for a Huffman table of ${codes}.`);
    at += codes;
    (kind === 0 ? tables.dc : tables.ac)[name] = huffmanTable(counts, symbols);
  }
}

/**
 * @param counts how many codes have 1, 2, … 16 bits. Impossible counts are not refused: the machine's decoder
 *   accepts such a table, and what it then reads depends on its lookup by 8 bits, in which later codes overwrite
 *   earlier ones.
 * @param symbols in the order of their codes
 */
function huffmanTable(counts: Uint8Array, symbols: Uint8Array): HuffmanTable {
  const lookup = new Uint16Array(1 << lookupBits);
  const lastCodes = new Int32Array(longestCode + 1).fill(-1);
  const symbolOffsets = new Int32Array(longestCode + 1);
  for (let length = 1, code = 0, place = 0; length <= longestCode; length++, code <<= 1) {
    const count = counts[length - 1]!;
    symbolOffsets[length] = place - code;
    if (count > 0) lastCodes[length] = code + count - 1;
    for (let i = 0; i < count; i++, code++, place++) {
      if (length <= lookupBits) fillLookup(lookup, code, length, symbols[place]!);
    }
  }
  return { lookup, valueLookup: valuesOf(lookup), symbols, lastCodes, symbolOffsets };
}

/** Builds the table that decodes a short code together with the value bits after it in one lookup. */
function valuesOf(lookup: Uint16Array): Int32Array {
  const values = new Int32Array(1 << valueLookupBits);
  for (let next = 0; next < values.length; next++) {
    const entry = lookup[next >> (valueLookupBits - lookupBits)]!;
    const valueBits = (entry >> 8) & 15;
    const bits = (entry & 0xff) + valueBits;
    if (entry === 0 || valueBits === 0 || bits > valueLookupBits) continue;
    const value = signedValue((next >> (valueLookupBits - bits)) & ((1 << valueBits) - 1), valueBits);
    values[next] = (value << 16) | ((entry >> 12) << 8) | bits;
  }
  return values;
}

/** A number of `bits` bits as it stands in the file: the first half is negative (EXTEND, T.81 F.2.2.1). */
export function signedValue(value: number, bits: number): number {
  // Avoids a branch, which the processor would mispredict half of the time.
  return value + (((value - (1 << (bits - 1))) >> 31) & ((-1 << bits) + 1));
}

function fillLookup(lookup: Uint16Array, code: number, length: number, symbol: number): void {
  const spare = lookupBits - length;
  const first = (code << spare) & 0xff;
  for (let i = 0; i < 1 << spare; i++) lookup[first | i] = (symbol << 8) | length;
}
