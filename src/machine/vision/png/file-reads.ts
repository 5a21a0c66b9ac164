import { damaged } from './png-error.ts';

/** How much the machine's decoder reads at a time (Go's bufio has buffers of this size). */
export const readSize = 4096;

/**
 * Reads the file in the same steps as the machine's decoder. The steps decide one thing only: how many bytes after
 * the compressed pixels, within their chunk, are silently skipped.
 */
export class FileReads {
  readonly bytes: Uint8Array;
  /** the next byte */
  at = 0;
  /** the end of the buffer that was read last */
  #bufferedTo = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** Advances by at most `most` bytes, as one read does, and returns by how many; 0 at the end of the file. */
  advance(most: number): number {
    if (this.at === this.#bufferedTo) {
      // A read as large as the buffer bypasses it.
      const wanted = most >= readSize ? most : readSize;
      this.#bufferedTo = Math.min(this.at + wanted, this.bytes.length);
    }
    const count = Math.min(most, this.#bufferedTo - this.at);
    this.at += count;
    return count;
  }

  /**
   * The next bytes as a view of the file's memory.
   * @throws PngError if the file ends before
   */
  take(count: number): Uint8Array {
    const start = this.at;
    if (start + count > this.bytes.length) {
      throw damaged(`The PNG ends after ${this.bytes.length} bytes, before its last chunk. Fetch it again.`);
    }
    // The machine's decoder reads long chunks in pieces; each is completed before the next begins.
    for (let done = 0; done < count;) {
      const piece = Math.min(count - done, readSize);
      for (let left = piece; left > 0;) left -= this.advance(left);
      done += piece;
    }
    return this.bytes.subarray(start, start + count);
  }
}
