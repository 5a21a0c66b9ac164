import { constants } from 'node:fs/promises';

const blockBytes = 1 << 20;
const blockCount = 8;

/**
 * Memory out of which the disk can be written past the page cache: it must begin at a page, and of all that JavaScript
 * can have only WebAssembly's does. Bounded: who finds none free writes as everybody does.
 */
export class FreeBlocks {
  #free: Uint8Array[] | null = null;
  #isOfUse = constants.O_DIRECT !== undefined; // Linux

  /** A block to write from, to be given back; null: there is none. */
  take(): Uint8Array | null {
    if (!this.#isOfUse) return null;
    return (this.#free ??= makeBlocks()).pop() ?? null;
  }

  give(block: Uint8Array): void {
    this.#free?.push(block);
  }

  /** The file system does not take them. */
  disuse(): void {
    this.#isOfUse = false;
    this.#free = null;
  }
}

function makeBlocks(): Uint8Array[] {
  const pages = (blockCount * blockBytes) / (64 * 1024);
  const { buffer } = new WebAssembly.Memory({ initial: pages, maximum: pages });
  return Array.from({ length: blockCount }, (_, index) => new Uint8Array(buffer, index * blockBytes, blockBytes));
}
