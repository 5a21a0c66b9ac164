import { bigEndian32 } from './chunks.ts';
import { HuffmanCodes, isLink } from './huffman-codes.ts';
import type { PixelChunks } from './pixel-chunks.ts';
import { damaged } from './png-error.ts';

/** The size of deflate's window (RFC 1951 §3.2.5), and of the pieces in which stored bytes are copied. */
const windowSize = 32_768;
const endOfBlock = 256;

// RFC 1951 §3.2.5: symbols 257… are lengths, and distances have symbols of their own.
const lengthExtraBits = Uint8Array.of(
  0,
  0,
  0,
  0,
  0,
  0,
  0,
  0,
  1,
  1,
  1,
  1,
  2,
  2,
  2,
  2,
  3,
  3,
  3,
  3,
  4,
  4,
  4,
  4,
  5,
  5,
  5,
  5,
  0,
);
const distanceExtraBits = Uint8Array.from({ length: 30 }, (_, i) => Math.max(0, (i >> 1) - 1));
const lengthBases = basesOf(lengthExtraBits, 3);
lengthBases[28] = 258;
const distanceBases = basesOf(distanceExtraBits, 1);
/** the order in which the lengths of code-length codes are written (§3.2.7) */
const codeLengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

function basesOf(extraBits: Uint8Array, first: number): Uint16Array {
  const bases = new Uint16Array(extraBits.length);
  for (let i = 0, base = first; i < bases.length; i++) {
    bases[i] = base;
    base += 2 ** extraBits[i]!;
  }
  return bases;
}

let fixed: { readonly literals: HuffmanCodes; readonly distances: HuffmanCodes } | null = null;

/** The fixed codes (§3.2.6), for blocks without codes of their own. */
function fixedCodes(): { readonly literals: HuffmanCodes; readonly distances: HuffmanCodes } {
  if (fixed) return fixed;
  const [literals, distances] = [new HuffmanCodes(), new HuffmanCodes()];
  literals.set(Uint8Array.from({ length: 288 }, (_, i) => (i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8)));
  distances.set(new Uint8Array(32).fill(5));
  return (fixed = { literals, distances });
}

/**
 * Inflates a zlib stream (RFC 1950) that must give exactly `size` bytes, and allocates no more than that. Unlike
 * common inflaters it refuses a wrong checksum and inconsistent codes, and reads no byte that the stream does not
 * need: the machine's decoder does the same.
 * @throws PngError
 */
export function inflate(chunks: PixelChunks, size: number): Uint8Array<ArrayBuffer> {
  readZlibHeader(chunks);
  const inflated = new Uint8Array(size);
  new Inflater(chunks, inflated).run();
  const sum = Uint8Array.of(chunks.byte(), chunks.byte(), chunks.byte(), chunks.byte());
  if (bigEndian32(sum, 0) !== adler32(inflated)) {
    throw damaged('The PNG’s pixels have another checksum than they were saved with. Fetch the file again.');
  }
  return inflated;
}

function readZlibHeader(chunks: PixelChunks): void {
  const [method, flags] = [chunks.byte(), chunks.byte()];
  if ((method & 15) !== 8 || method >> 4 > 7 || (method * 256 + flags) % 31 !== 0) {
    throw damaged('The PNG’s compressed pixels do not begin as a zlib stream.');
  }
  if ((flags & 32) === 0) return;
  // Only the empty preset dictionary, whose checksum is 1, is supported.
  const dictionary = Uint8Array.of(chunks.byte(), chunks.byte(), chunks.byte(), chunks.byte());
  if (bigEndian32(dictionary, 0) !== 1)
    throw damaged('The PNG’s pixels are compressed with a dictionary, which no PNG has.');
}

class Inflater {
  readonly #chunks: PixelChunks;
  readonly #out: Uint8Array;
  #written = 0;
  /** bits that were read and not used yet, the next one lowest; 0 above them */
  #hold = 0;
  #held = 0;
  readonly #literals = new HuffmanCodes();
  readonly #distances = new HuffmanCodes();

  constructor(chunks: PixelChunks, out: Uint8Array) {
    this.#chunks = chunks;
    this.#out = out;
  }

  run(): void {
    for (let isLast = false; !isLast;) {
      isLast = this.#bits(1) === 1;
      const kind = this.#bits(2);
      if (kind === 0) this.#readStored();
      else if (kind === 1) this.#readCompressed(fixedCodes().literals, fixedCodes().distances);
      else if (kind === 2) {
        this.#readCodes();
        this.#readCompressed(this.#literals, this.#distances);
      } else throw badBlock('a block of a kind that there is not');
    }
    this.#giveBack();
    if (this.#written < this.#out.length) {
      throw damaged(`The PNG has ${this.#written} bytes of pixels where its size needs ${this.#out.length}.`);
    }
  }

  #bits(count: number): number {
    while (this.#held < count) {
      this.#hold |= this.#chunks.byte() << this.#held;
      this.#held += 8;
    }
    const bits = this.#hold & (2 ** count - 1);
    this.#hold >>>= count;
    this.#held -= count;
    return bits;
  }

  /** Drops the rest of the current byte and returns whole bytes that were read ahead. */
  #giveBack(): void {
    this.#chunks.at -= this.#held >> 3;
    this.#hold = this.#held = 0;
  }

  #readStored(): void {
    this.#giveBack();
    const length = this.#bits(16);
    if ((length ^ this.#bits(16)) !== 0xffff) throw badBlock('a stored block whose length is not confirmed');
    if (this.#written + length > this.#out.length) throw tooMuch();
    for (const end = this.#written + length; this.#written < end;) {
      const piece = Math.min(end - this.#written, windowSize - (this.#written % windowSize));
      this.#chunks.copy(this.#out, this.#written, piece);
      this.#written += piece;
    }
  }

  /** RFC 1951 §3.2.7 */
  #readCodes(): void {
    const literalCount = this.#bits(5) + 257;
    const distanceCount = this.#bits(5) + 1;
    const lengthCount = this.#bits(4) + 4;
    if (literalCount > 286 || distanceCount > 30) throw badBlock('more codes than there are symbols');
    const ofLengths = new Uint8Array(19);
    for (let i = 0; i < lengthCount; i++) ofLengths[codeLengthOrder[i]!] = this.#bits(3);
    const codes = this.#literals;
    codes.set(ofLengths);
    const lengths = new Uint8Array(literalCount + distanceCount);
    for (let i = 0; i < lengths.length;) {
      const symbol = this.#symbol(codes);
      if (symbol < 16) {
        lengths[i++] = symbol;
        continue;
      }
      if (symbol === 16 && i === 0) throw badBlock('a code length repeated before the first');
      const repeated = symbol === 16 ? lengths[i - 1]! : 0;
      const times = symbol === 16 ? 3 + this.#bits(2) : symbol === 17 ? 3 + this.#bits(3) : 11 + this.#bits(7);
      if (i + times > lengths.length) throw badBlock('more code lengths than it says');
      lengths.fill(repeated, i, i + times);
      i += times;
    }
    this.#literals.set(lengths.subarray(0, literalCount));
    this.#distances.set(lengths.subarray(literalCount));
  }

  #symbol({ entries, bits, mask, linkMask }: HuffmanCodes): number {
    for (;;) {
      let entry = entries[this.#hold & mask]!;
      if (entry & isLink) entry = entries[(entry >>> 5) + ((this.#hold >>> bits) & linkMask)]!;
      if (entry === 0) throw badBlock('a code that means nothing');
      const length = entry & 15;
      if (length <= this.#held) {
        this.#hold >>>= length;
        this.#held -= length;
        return entry >>> 5;
      }
      this.#hold |= this.#chunks.byte() << this.#held;
      this.#held += 8;
    }
  }

  #readCompressed(literals: HuffmanCodes, distances: HuffmanCodes): void {
    for (;;) {
      if (this.#readAhead(literals, distances)) return;
      if (this.#readOne(literals, distances)) return;
    }
  }

  /** Decodes one literal or match and reads no bit more than it takes; returns true at the end of the block. */
  #readOne(literals: HuffmanCodes, distances: HuffmanCodes): boolean {
    const symbol = this.#symbol(literals);
    if (symbol === endOfBlock) return true;
    if (symbol < endOfBlock) {
      if (this.#written === this.#out.length) throw tooMuch();
      this.#out[this.#written++] = symbol;
      return false;
    }
    if (symbol > 285) throw badBlock('a length that there is not');
    const length = lengthBases[symbol - 257]! + this.#bits(lengthExtraBits[symbol - 257]!);
    const distanceSymbol = this.#symbol(distances);
    if (distanceSymbol > 29) throw badBlock('a distance that there is not');
    const distance = distanceBases[distanceSymbol]! + this.#bits(distanceExtraBits[distanceSymbol]!);
    copyMatch(this.#out, this.#written, length, distance);
    this.#written += length;
    return false;
  }

  /**
   * Like repeated `#readOne`, as long as the buffer surely holds what one call can need: the hot loop, with its
   * state in local variables and bits read ahead.
   */
  #readAhead(literals: HuffmanCodes, distances: HuffmanCodes): boolean {
    const chunks = this.#chunks;
    const { bytes } = chunks;
    const out = this.#out;
    const { entries: literalEntries, bits: literalBits, mask: literalMask, linkMask: literalLinkMask } = literals;
    const { entries: distanceEntries, bits: distanceBits, mask: distanceMask, linkMask: distanceLinkMask } = distances;
    const lastStart = chunks.end - 12; // a match takes 48 bits at most, and 31 are read ahead
    let at = chunks.at;
    let written = this.#written;
    let hold = this.#hold;
    let held = this.#held;
    let isEnd = false;
    while (at <= lastStart) {
      for (; held < 24; held += 8) hold |= bytes[at++]! << held;
      let entry = literalEntries[hold & literalMask]!;
      if (entry & isLink) entry = literalEntries[(entry >>> 5) + ((hold >>> literalBits) & literalLinkMask)]!;
      if (entry === 0) throw badBlock('a code that means nothing');
      hold >>>= entry & 15;
      held -= entry & 15;
      const symbol = entry >>> 5;
      if (symbol < endOfBlock) {
        if (written === out.length) throw tooMuch();
        out[written++] = symbol;
        continue;
      }
      if (symbol === endOfBlock) {
        isEnd = true;
        break;
      }
      if (symbol > 285) throw badBlock('a length that there is not');
      let extra = lengthExtraBits[symbol - 257]!;
      const length = lengthBases[symbol - 257]! + (hold & ((1 << extra) - 1));
      hold >>>= extra;
      held -= extra;

      for (; held < 24; held += 8) hold |= bytes[at++]! << held;
      entry = distanceEntries[hold & distanceMask]!;
      if (entry & isLink) entry = distanceEntries[(entry >>> 5) + ((hold >>> distanceBits) & distanceLinkMask)]!;
      if (entry === 0) throw badBlock('a code that means nothing');
      hold >>>= entry & 15;
      held -= entry & 15;
      const distanceSymbol = entry >>> 5;
      if (distanceSymbol > 29) throw badBlock('a distance that there is not');
      extra = distanceExtraBits[distanceSymbol]!;
      for (; held < 24; held += 8) hold |= bytes[at++]! << held;
      copyMatch(out, written, length, distanceBases[distanceSymbol]! + (hold & ((1 << extra) - 1)));
      written += length;
      hold >>>= extra;
      held -= extra;
    }
    chunks.at = at;
    this.#written = written;
    this.#hold = hold;
    this.#held = held;
    return isEnd;
  }
}

function copyMatch(out: Uint8Array, written: number, length: number, distance: number): void {
  if (distance > written) throw badBlock('a match before the first byte');
  if (written + length > out.length) throw tooMuch();
  for (let to = written, from = written - distance, end = written + length; to < end;) out[to++] = out[from++]!;
}

/** RFC 1950 §9; sums of so many bytes stay within 32 bits. */
function adler32(bytes: Uint8Array): number {
  const summedAtOnce = 5552;
  let a = 1;
  let b = 0;
  for (let at = 0; at < bytes.length;) {
    const end = Math.min(at + summedAtOnce, bytes.length);
    for (; at < end; at++) {
      a += bytes[at]!;
      b += a;
    }
    a %= 65521;
    b %= 65521;
  }
  return b * 65536 + a;
}

function badBlock(what: string): Error {
  return damaged(`The PNG’s compressed pixels are damaged: they have ${what}. Fetch it again.`);
}

function tooMuch(): Error {
  return damaged('The PNG has more pixels than its size says.');
}
