import type { BlobStore } from '../../../data-service/ports/blob-store.ts';
import type { Clock } from '../../../data-service/ports/clock.ts';
import { StoreError } from '../../../data-service/ports/store-error.ts';
import { randomId } from '../random-id.ts';
import { gatherBlob } from './gather-blob.ts';
import type { IdbDatabase } from './idb-database.ts';

const listedAtOnce = 100;

/** Blobs in IndexedDB, which keeps them as files: reading draws slices of one from the disk. */
export function idbBlobStore(database: IdbDatabase, clock: Clock): BlobStore {
  return {
    async put(content, signal) {
      const { bytes, sha256 } = await gatherBlob(content, signal).catch((error: unknown) => {
        throw blobError(error);
      });
      const address = `${sha256}-${randomId()}`;
      await database.writeTogether(['blobs'], async (transaction) => {
        await transaction.objectStore('blobs').add({ bytes, timeStored: clock.now() }, address);
      });
      return { address, sha256, sizeBytes: bytes.size };
    },

    async open(address) {
      const stored = await database.read(['blobs'], (transaction) => transaction.objectStore('blobs').get(address));
      if (stored === undefined) return null;
      return {
        sizeBytes: stored.bytes.size,
        read: async ({ start, end }) => {
          const slice = stored.bytes.slice(start, end);
          return new Uint8Array(
            await slice.arrayBuffer().catch((error: unknown) => {
              throw blobError(error);
            }),
          );
        },
        close: () => Promise.resolve(),
      };
    },

    delete: (address) =>
      database.write(['blobs'], async (transaction) => {
        await transaction.objectStore('blobs').delete(address);
      }),

    async *list() {
      for (let last = ''; ;) {
        const beyond = IDBKeyRange.lowerBound(last, true);
        const [addresses, blobs] = await database.read(['blobs'], (transaction) => {
          const store = transaction.objectStore('blobs');
          return Promise.all([store.getAllKeys(beyond, listedAtOnce), store.getAll(beyond, listedAtOnce)]);
        });
        for (const [index, address] of addresses.entries()) yield { address, timeStored: blobs[index]!.timeStored };
        if (addresses.length < listedAtOnce) return;
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
