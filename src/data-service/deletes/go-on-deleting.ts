import { isOfFiles } from '../ports/capture-filter.ts';
import type { DataStore } from '../ports/data-store.ts';
import type { Deletion } from '../ports/deletion-store.ts';
import { binaryPages } from '../pages/binary-pages.ts';
import { deleteBinary } from './delete-binary.ts';

/** Deleted in one write: few enough that others are served soon. */
export const batchRows = 2000;
/** Files deleted in one batch. Their bytes go one by one, in a bucket in some 50 ms each. */
const batchFiles = 200;
/** After so many batches of readings the progress is written down and the lease renewed; after each of files. */
const batchesBetween = 5;
/** Another host takes a deletion over from one that was silent for so long. */
const lease = 60e6;

/**
 * Deletes what a filter matches, batch by batch.
 * @param store of whose actor it is
 * @param what captures that were synced after `syncedUntil` stay; absent: all go
 * @param signal ends it between two batches
 * @returns how many went with each
 */
export async function* deleteInBatches(
  { binary, tabular, blobs }: Pick<DataStore, 'binary' | 'tabular' | 'blobs'>,
  { filter, syncedUntil = Infinity }: Pick<Deletion, 'filter'> & Partial<Pick<Deletion, 'syncedUntil'>>,
  signal?: AbortSignal,
): AsyncGenerator<number, void> {
  if (isOfFiles(filter)) {
    for await (const records of binaryPages(binary, filter, signal, { limit: batchFiles })) {
      const old = records.filter(({ timeSynced }) => timeSynced <= syncedUntil);
      const ids = old.map(({ id }) => id);
      yield await deleteBinary({ binary, blobs }, filter.organizationId, ids);
    }
    return;
  }
  for (let count = batchRows; count === batchRows;) {
    signal?.throwIfAborted();
    count = await tabular.delete(filter, batchRows, syncedUntil);
    yield count;
  }
}

/**
 * Goes on with a deletion whose call was answered, unless another host is at it.
 * @param store whose audit has what is deleted under the deletion's actor
 * @param deletion as `DeletionStore` has it
 * @param signal ends it between two batches: it is taken up again
 */
export async function goOnDeleting(
  store: Pick<DataStore, 'binary' | 'tabular' | 'blobs' | 'deletions' | 'leases'>,
  deletion: Deletion,
  signal?: AbortSignal,
): Promise<void> {
  const { deletions, leases } = store;
  const held = await leases.take(`deletion ${deletion.id}`, lease);
  if (held === null || deletions === null) return;
  try {
    let { deleted } = deletion;
    let batch = 0;
    for await (const count of deleteInBatches(store, deletion, signal)) {
      deleted += count;
      if (!isOfFiles(deletion.filter) && ++batch % batchesBetween !== 0) continue;
      await leases.renew(held, lease);
      await deletions.put({ ...deletion, deleted });
    }
    await deletions.remove(deletion);
  } finally {
    await leases.release(held).catch(() => undefined); // otherwise it ends by itself
  }
}

/**
 * Goes on with all deletions that hosts have left under way.
 * @param store all of it
 * @param signal ends them between two batches
 * @example
 * await takeUpDeletions({ deletions: null }, new AbortController().signal); // => undefined
 */
export async function takeUpDeletions(store: DataStore, signal: AbortSignal): Promise<void> {
  for (const deletion of (await store.deletions?.list(null)) ?? [])
    await goOnDeleting({ ...store, ...store.as(deletion.actor) }, deletion, signal);
}
