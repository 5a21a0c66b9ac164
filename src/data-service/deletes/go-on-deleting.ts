import type { DataStore } from '../ports/data-store.ts';
import type { Deletion } from '../ports/deletion-store.ts';

/** Deleted in one write: few enough that others are served soon. */
export const batchRows = 2000;
/** After so many batches the progress is written down and the lease renewed. */
const batchesBetween = 5;
/** Another host takes a deletion over from one that was silent for so long. */
const lease = 60e6;

/**
 * Goes on with a deletion whose call was answered, unless another host is at it.
 * @param store whose audit has what is deleted under the deletion's actor
 * @param deletion as `DeletionStore` has it
 * @param signal ends it between two batches: it is taken up again
 */
export async function goOnDeleting(
  { tabular, deletions, leases }: Pick<DataStore, 'tabular' | 'deletions' | 'leases'>,
  deletion: Deletion,
  signal?: AbortSignal,
): Promise<void> {
  const held = await leases.take(`deletion ${deletion.id}`, lease);
  if (held === null || deletions === null) return;
  try {
    let { deleted } = deletion;
    for (let batch = 1; ; batch++) {
      signal?.throwIfAborted();
      const count = await tabular.delete(deletion.filter, batchRows, deletion.syncedUntil);
      deleted += count;
      if (count < batchRows) break;
      if (batch % batchesBetween !== 0) continue;
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
