import { damaged } from './jpeg-error.ts';

/**
 * Reads a JPEG file byte by byte. A file that ends early throws: the machine shows no part of such a picture
 * either.
 */
export class ByteReader {
  readonly bytes: Uint8Array;
  /** the next byte */
  at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  byte(): number {
    if (this.at >= this.bytes.length) throw this.#end();
    return this.bytes[this.at++]!;
  }

  /** The next `count` bytes as a view of the file's memory. */
  take(count: number): Uint8Array {
    const end = this.at + count;
    if (end > this.bytes.length) throw this.#end();
    const taken = this.bytes.subarray(this.at, end);
    this.at = end;
    return taken;
  }

  /** What a marker's length says follows it; the length counts its own two bytes (T.81 B.1.1.4). */
  segment(): Uint8Array {
    const length = bigEndian16(this.take(2), 0);
    if (length < 2) throw damaged(`The JPEG has a segment of ${length} bytes at byte ${this.at}; the least is 2.`);
    return this.take(length - 2);
  }

  #end(): Error {
    return damaged(
      `The JPEG ends after ${this.bytes.length} bytes, in the midst of the picture. It is cut off: fetch it again.`,
    );
  }
}

export function bigEndian16(bytes: Uint8Array, at: number): number {
  return (bytes[at]! << 8) | bytes[at + 1]!;
}
