import type { ChangingStores, DataStore } from '../../data-service/ports/data-store.ts';
import type { Disk } from '../../data-service/ports/disk.ts';
import { StoreError } from '../../data-service/ports/store-error.ts';
import type { StorageRoom } from './storage-room.ts';

/** So much of one file may come before the room is looked at again. */
const askAgainBytes = 16 * 2 ** 20;

/**
 * A store that takes no more captures where there is no room for them, and deletes also on a full disk:
 * deleting writes a little before it frees much, for which the disk's reserve is given up.
 */
export function keepRoom(
  store: DataStore,
  { room, disk }: { readonly room: StorageRoom; readonly disk: Disk },
): DataStore {
  const { blobs } = store;

  async function withReserve<T>(deleting: () => Promise<T>): Promise<T> {
    try {
      return await deleting();
    } catch (error) {
      const isFull = error instanceof StoreError && error.code === 'resource-exhausted';
      if (!isFull || !(await disk.giveReserve())) throw error;
      return deleting();
    }
  }

  const withRoom = ({ binary, tabular, ...others }: ChangingStores): ChangingStores => ({
    ...others,
    binary: { ...binary, delete: (organizationId, ids) => withReserve(() => binary.delete(organizationId, ids)) },
    tabular: {
      ...tabular,
      async insert(rows, ...upload) {
        await room.require();
        await tabular.insert(rows, ...upload);
      },
      delete: (filter, limit) => withReserve(() => tabular.delete(filter, limit)),
    },
  });

  const { binary, tabular } = withRoom(store);
  return {
    ...store,
    binary,
    tabular,
    audit: { ...store.audit, deleteBefore: (...rule) => withReserve(() => store.audit.deleteBefore(...rule)) },
    as: (actor) => withRoom(store.as(actor)),
    blobs: {
      ...blobs,
      async put(content, signal) {
        await room.require();
        return blobs.put(whileThereIsRoom(content, room), signal);
      },
    },
  };
}

/** A file of many gigabytes may begin while there is room, and shall not fill the disk up. */
async function* whileThereIsRoom(content: AsyncIterable<Uint8Array>, room: StorageRoom): AsyncGenerator<Uint8Array> {
  let bytesSince = 0;
  for await (const chunk of content) {
    bytesSince += chunk.length;
    if (bytesSince >= askAgainBytes) {
      await room.require();
      bytesSince = 0;
    }
    yield chunk;
  }
}
