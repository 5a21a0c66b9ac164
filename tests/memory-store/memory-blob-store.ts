import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { BlobStore, RunningHash } from '../../src/data-service/ports/blob-store.ts';
import type { Micros } from '../../src/data-service/ports/stored-captures.ts';
import type { Clock } from '../../src/data-service/ports/clock.ts';

export function memoryBlobStore(clock: Clock): BlobStore {
  const blobs = new Map<string, { readonly bytes: Uint8Array<ArrayBuffer>; readonly timeStored: Micros }>();
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
    async open(address) {
      const bytes = blobs.get(address)?.bytes;
      if (bytes === undefined) return null;
      return {
        sizeBytes: bytes.length,
        read: async ({ start, end }) => bytes.slice(start, end),
        close: () => Promise.resolve(),
      };
    },
    hash: nobleHash,
    async delete(address) {
      blobs.delete(address);
    },
    async *list() {
      for (const [address, { timeStored }] of [...blobs]) yield { address, timeStored };
    },
  };
}

function nobleHash(): RunningHash {
  const hash = sha256.create();
  return { update: (bytes) => void hash.update(bytes), end: () => bytesToHex(hash.digest()) };
}

function join(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(chunks.reduce((total, chunk) => total + chunk.length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}
