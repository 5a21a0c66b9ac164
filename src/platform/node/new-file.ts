import { constants, open, type FileHandle } from 'node:fs/promises';
import type { FreeBlocks } from './free-blocks.ts';
import { privateFileMode } from './private-folder.ts';

const pageBytes = 4096;

/**
 * A file that is written from its beginning to its end. Where the file system can, it goes from memory to the disk past the
 * page cache: whoever waits for the disk anyway need not wait for memory that a copy of the file would take.
 */
export class NewFile {
  readonly #path: string;
  readonly #blocks: FreeBlocks;
  #file: FileHandle;
  /** bytes of the file that are not written yet; null: each write goes through the page cache at once */
  #block: Uint8Array | null;
  #filledBytes = 0;
  #writtenBytes = 0;

  private constructor(path: string, file: FileHandle, blocks: FreeBlocks, block: Uint8Array | null) {
    this.#path = path;
    this.#file = file;
    this.#blocks = blocks;
    this.#block = block;
  }

  /** @throws the operating system's error, EEXIST for a file that is there */
  static async create(path: string, blocks: FreeBlocks): Promise<NewFile> {
    const block = blocks.take();
    try {
      if (block !== null) return new NewFile(path, await open(path, pastTheCache, privateFileMode), blocks, block);
    } catch (error) {
      blocks.give(block!);
      if (!isRefusal(error)) throw error;
      blocks.disuse();
      return new NewFile(path, await open(path, 'w', privateFileMode), blocks, null); // the file may have been made all the same
    }
    return new NewFile(path, await open(path, 'wx', privateFileMode), blocks, null);
  }

  async write(bytes: Uint8Array): Promise<void> {
    let from = 0;
    while (this.#block !== null && from < bytes.length) {
      const part = bytes.subarray(from, from + this.#block.length - this.#filledBytes);
      this.#block.set(part, this.#filledBytes);
      this.#filledBytes += part.length;
      from += part.length;
      if (this.#filledBytes === this.#block.length) await this.#writeBlock(this.#block);
    }
    if (from < bytes.length) await this.#writeAll(bytes.subarray(from));
  }

  /** Returns when all that was written is on the disk. @param modifiedSeconds since 1970 */
  async sync(modifiedSeconds: number): Promise<void> {
    if (this.#block !== null && this.#filledBytes > 0) await this.#writeBlock(this.#block);
    await this.#file.utimes(modifiedSeconds, modifiedSeconds);
    await this.#file.sync();
  }

  async close(): Promise<void> {
    if (this.#block !== null) this.#blocks.give(this.#block);
    await this.#file.close();
  }

  /** Past the cache only whole pages can be written: the last one is filled up with zeros, which are cut off again. */
  async #writeBlock(block: Uint8Array): Promise<void> {
    const bytes = block.subarray(0, this.#filledBytes);
    const wholePages = Math.ceil(bytes.length / pageBytes) * pageBytes;
    block.fill(0, bytes.length, wholePages);
    const start = this.#writtenBytes;
    this.#filledBytes = 0;
    try {
      await this.#writeAll(block.subarray(0, wholePages));
    } catch (error) {
      if (!isRefusal(error)) throw error;
      await this.#goThroughTheCache();
      this.#writtenBytes = start;
      await this.#writeAll(bytes);
    }
    this.#writtenBytes = start + bytes.length;
    if (wholePages > bytes.length) await this.#file.truncate(this.#writtenBytes);
  }

  async #goThroughTheCache(): Promise<void> {
    this.#blocks.disuse();
    this.#block = null;
    const file = await open(this.#path, 'r+');
    await this.#file.close();
    this.#file = file;
  }

  async #writeAll(bytes: Uint8Array): Promise<void> {
    for (let from = 0; from < bytes.length;) {
      const { bytesWritten } = await this.#file.write(bytes, from, bytes.length - from, this.#writtenBytes);
      from += bytesWritten;
      this.#writtenBytes += bytesWritten;
    }
  }
}

const pastTheCache = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | (constants.O_DIRECT ?? 0);

// what open(2) and write(2) answer where a file system has no such way, or wants blocks laid out otherwise
const isRefusal = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EINVAL';
