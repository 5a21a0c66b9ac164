import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { BlobStore } from '../ports/blob-store.ts';
import type { Micros } from '../ports/capture.ts';
import type { Clock } from '../ports/clock.ts';
import { notFound } from '../ports/store-refusals.ts';

export function memoryBlobStore(clock: Clock): BlobStore {
  const blobs = new Map<string, { readonly bytes: Uint8Array; readonly timeStored: Micros }>();
  let puts = 0;

  return {
    async put(content, signal) {
      const chunks: Uint8Array[] = [];
      for await (const chunk of content) {
        signal.throwIfAborted();
        chunks.push(chunk.slice());
      }
      signal.throwIfAborted();
      const bytes = join(chunks);
      const hash = bytesToHex(sha256(bytes));
      const address = `${hash}-${++puts}`;
      blobs.set(address, { bytes, timeStored: clock.now() });
      return { address, sha256: hash, sizeBytes: bytes.length };
    },
    async *read(address, range) {
      const blob = blobs.get(address);
      if (blob === undefined) throw notFound('blob', address);
      const bytes = blob.bytes.subarray(range?.start ?? 0, range?.end ?? blob.bytes.length);
      for (let start = 0; start < bytes.length; start += chunkBytes) yield bytes.slice(start, start + chunkBytes);
    },
    async delete(address) {
      blobs.delete(address);
    },
    async *list() {
      for (const [address, { timeStored }] of [...blobs]) yield { address, timeStored };
    },
  };
}

const chunkBytes = 1 << 20;

function join(chunks: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(chunks.reduce((total, chunk) => total + chunk.length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}
