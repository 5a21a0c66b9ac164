import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { BlobStore, Clock } from '../../../../data-service/face/hosts.ts';
import { StoreError } from '../../../../data-service/face/stores.ts';
import { randomId } from '../../bytes/random-id.ts';
import { blobOf, keepsBlobs, keptBlob } from '../kept-blob.ts';
import { gatherBlob } from './gather-blob.ts';
import type { IdbDatabase } from './idb-database.ts';
import type { DataSchema } from './schema.ts';

/** The bytes come along where they are not kept as files. */
const listedAtOnce = async (): Promise<number> => ((await keepsBlobs()) ? 100 : 4);

/**
 * Blobs that were put and are not in the database yet, by address: the transaction that inserts the record of one takes
 * it along, since a transaction of its own would cost as much again.
 */
export type PendingBlobs = Map<string, DataSchema['blobs']['value']>;

/** Blobs in IndexedDB, which keeps them as files: reading draws slices of one from the disk. */
export function idbBlobStore(database: IdbDatabase, pending: PendingBlobs, clock: Clock): BlobStore {
  return {
    async put(content, signal) {
      const { bytes, sha256 } = await gatherBlob(content, signal).catch((error: unknown) => {
        throw blobError(error);
      });
      const address = `${sha256}-${randomId()}`;
      pending.set(address, { bytes: await keptBlob(bytes), timeStored: clock.now() });
      return { address, sha256, sizeBytes: bytes.size };
    },

    async open(address) {
      const stored =
        pending.get(address) ??
        (await database.read(['blobs'], (transaction) => transaction.objectStore('blobs').get(address)));
      if (stored === undefined) return null;
      const blob = blobOf(stored.bytes);
      return {
        sizeBytes: blob.size,
        read: async ({ start, end }) => {
          const slice = blob.slice(start, end);
          return new Uint8Array(
            await slice.arrayBuffer().catch((error: unknown) => {
              throw blobError(error);
            }),
          );
        },
        close: () => Promise.resolve(),
      };
    },

    hash() {
      const hash = sha256.create();
      return { update: (bytes) => void hash.update(bytes), end: () => bytesToHex(hash.digest()) };
    },

    async delete(address) {
      if (pending.delete(address)) return;
      await database.write(['blobs'], async (transaction) => {
        await transaction.objectStore('blobs').delete(address);
      });
    },

    async *list() {
      for (const [address, { timeStored }] of [...pending]) yield { address, timeStored };
      const atOnce = await listedAtOnce();
      for (let last = ''; ;) {
        const beyond = IDBKeyRange.lowerBound(last, true);
        const [addresses, blobs] = await database.read(['blobs'], (transaction) => {
          const store = transaction.objectStore('blobs');
          return Promise.all([store.getAllKeys(beyond, atOnce), store.getAll(beyond, atOnce)]);
        });
        for (const [index, address] of addresses.entries()) yield { address, timeStored: blobs[index]!.timeStored };
        if (addresses.length < atOnce) return;
        last = addresses.at(-1)!;
      }
    },
  };
}

function blobError(error: unknown): unknown {
  // a Blob that could not be kept anywhere cannot be read: https://w3c.github.io/FileAPI/#NotReadableError
  if (!(error instanceof DOMException) || error.name !== 'NotReadableError') return error;
  return new StoreError('unavailable', `The browser could not read the content: ${error.message}`, { cause: error });
}
