import { type ChangingStores, type DataStore, StoreError } from '../../data-service/face/stores.ts';
import type { Disk } from '../../data-service/face/hosts.ts';
import { refuseGrowth } from '../../data-service/face/wire.ts';
import type { StorageRoom } from './storage-room.ts';

/** So much of one file may come before the room is looked at again. */
const askAgainBytes = 16 * 2 ** 20;

/**
 * A store that takes nothing more where there is no room for it, neither captures nor what people make of them, and deletes also on a full disk:
 * deleting writes a little before it frees much, for which the disk's reserve is given up.
 */
export function keepRoom(
  store: DataStore,
  { room, disk }: { readonly room: StorageRoom; readonly disk: Disk },
): DataStore {
  const { blobs } = store;

  /** @param refusal of what needs room: it is no reason to give the reserve up */
  async function withReserve<T>(deleting: () => Promise<T>, refusal: StoreError | null = null): Promise<T> {
    try {
      return await deleting();
    } catch (error) {
      const isFull = error instanceof StoreError && error.code === 'resource-exhausted' && error !== refusal;
      if (!isFull || !(await disk.giveReserve())) throw error;
      return deleting();
    }
  }

  /** An edit that may add to what is there, or take away: the reserve is for those that cannot add. */
  const edited = <T>(refusal: StoreError | null, editing: () => Promise<T>): Promise<T> =>
    refusal === null ? editing() : withReserve(editing, refusal);

  const withRoom = (stores: ChangingStores): ChangingStores => {
    const { binary, labels, pipelines, tabular, ...others } = refuseGrowth(stores, () => room.refusal(), edited);
    return {
      ...others,
      binary: { ...binary, delete: (organizationId, ids) => withReserve(() => binary.delete(organizationId, ids)) },
      labels: { ...labels, deleteScheme: (...scheme) => withReserve(() => labels.deleteScheme(...scheme)) },
      pipelines: {
        ...pipelines,
        async complete(...results) {
          await room.require();
          return pipelines.complete(...results);
        },
      },
      tabular: {
        ...tabular,
        async insert(rows, ...upload) {
          await room.require();
          await tabular.insert(rows, ...upload);
        },
        delete: (...wanted) => withReserve(() => tabular.delete(...wanted)),
      },
    };
  };

  return {
    ...store,
    ...withRoom(store),
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
