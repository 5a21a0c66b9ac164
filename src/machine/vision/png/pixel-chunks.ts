import { named, openChunk, type Chunk } from './chunks.ts';
import { readSize, type FileReads } from './file-reads.ts';
import { damaged } from './png-error.ts';

/**
 * The compressed bytes of consecutive IDAT chunks as one stream. The inflater reads `bytes` from `at` to `end`,
 * moves `at`, and calls `refill` when they are used up. It may ask only for bytes that it needs, since those behind
 * them may not belong to the stream.
 */
export class PixelChunks {
  readonly bytes: Uint8Array;
  at: number;
  end: number;
  readonly #reads: FileReads;
  /** bytes of the open chunk that are not read yet */
  #left: number;

  /** @param first the first IDAT chunk, opened */
  constructor(reads: FileReads, first: Chunk) {
    this.bytes = reads.bytes;
    this.at = this.end = reads.at;
    this.#reads = reads;
    this.#left = first.byteLength;
  }

  /**
   * Reads more bytes when all are used up.
   * @throws PngError if no compressed pixels are left
   */
  refill(): void {
    this.#read(readSize);
  }

  byte(): number {
    if (this.at === this.end) this.refill();
    return this.bytes[this.at++]!;
  }

  copy(target: Uint8Array, offset: number, count: number): void {
    for (let done = 0; done < count;) {
      const left = count - done;
      if (this.at === this.end) this.#read(Math.max(left, readSize));
      const some = Math.min(left, this.end - this.at);
      target.set(this.bytes.subarray(this.at, this.at + some), offset + done);
      this.at += some;
      done += some;
    }
  }

  /**
   * Closes the chunk in which the stream ended.
   * @throws PngError if more bytes follow than the machine ignores
   */
  finish(): void {
    if (this.#left !== 0) throw damaged('The PNG has more compressed bytes in a chunk than its pixels take.');
    this.#reads.take(4);
  }

  #read(most: number): void {
    while (this.#left === 0) {
      this.#reads.take(4); // the checksum
      const next = openChunk(this.#reads);
      if (next.type !== 'IDAT') {
        throw damaged(`The PNG goes on with a chunk ${named(next.type)} where pixels are missing. Fetch it again.`);
      }
      this.#left = next.byteLength;
    }
    this.at = this.#reads.at;
    const count = this.#reads.advance(Math.min(most, this.#left));
    this.end = this.at + count;
    this.#left -= count;
  }
}
