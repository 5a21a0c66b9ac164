import { damaged } from './png-error.ts';

/** How much the machine's decoder reads at a time (Go's bufio has buffers of this size). */
export const readSize = 4096;

/**
 * Walks the bytes of a file in the steps in which the machine's decoder reads them. The steps decide one thing only: how much of
 * what follows the compressed pixels within their chunk is passed over in silence.
 */
export class FileReads {
  readonly bytes: Uint8Array;
  /** the next byte */
  at = 0;
  /** where the buffer ends that was read last */
  #bufferedTo = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** Goes on by at most so many bytes, as one read does, and says by how many; 0 at the end of the file. */
  advance(most: number): number {
    if (this.at === this.#bufferedTo) {
      // A read as large as the buffer goes past it.
      const wanted = most >= readSize ? most : readSize;
      this.#bufferedTo = Math.min(this.at + wanted, this.bytes.length);
    }
    const count = Math.min(most, this.#bufferedTo - this.at);
    this.at += count;
    return count;
  }

  /** The next bytes, of the file's own memory. @throws PngError where the file ends before */
  take(count: number): Uint8Array {
    const start = this.at;
    if (start + count > this.bytes.length) {
      throw damaged(`The PNG ends after ${this.bytes.length} bytes, before its last chunk. Fetch it again.`);
    }
    // Long chunks are read in pieces, each of which is whole before the next begins.
    for (let done = 0; done < count;) {
      const piece = Math.min(count - done, readSize);
      for (let left = piece; left > 0;) left -= this.advance(left);
      done += piece;
    }
    return this.bytes.subarray(start, start + count);
  }
}
