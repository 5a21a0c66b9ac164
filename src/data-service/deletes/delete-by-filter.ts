import type { HandlerContext } from '@connectrpc/connect';
import { principalOf } from '../access/principal.ts';
import type { DataServiceDependencies } from '../ports/dependencies.ts';
import { isOfFiles, type BinaryFilter, type TabularFilter } from '../ports/capture-filter.ts';
import { StoreError } from '../ports/store-error.ts';
import { deleteInBatches, goOnDeleting } from './go-on-deleting.ts';

/** After this time, in µs, the call answers and the deletion goes on. */
const patience = 5e6;

/**
 * Deletes the files or readings that a filter matches. After 5 s it answers while the deletion goes on.
 * @returns how many are deleted, with those that still will be
 */
export async function deleteByFilter(
  { store, clock, ids, defects }: Pick<DataServiceDependencies, 'store' | 'clock' | 'ids' | 'defects'>,
  filter: BinaryFilter | TabularFilter,
  context: HandlerContext,
): Promise<number> {
  const timeStarted = clock.now();
  let deleted = 0;
  for await (const count of deleteInBatches(store, { filter }, context.signal)) {
    deleted += count;
    if (store.deletions === null || clock.now() - timeStarted < patience) continue;
    const { count: left } = await (isOfFiles(filter)
      ? store.binary.summarize(filter)
      : store.tabular.summarize(filter));
    const { organizationId, actor } = principalOf(context);
    const syncedUntil = await store.now();
    const total = deleted + left;
    const deletion = { id: ids.next(), organizationId, filter, syncedUntil, actor, timeStarted, total, deleted };
    await store.deletions.put(deletion);
    // The store of this call, so that the audit sums its rows.
    goOnDeleting(store, deletion).catch((error: unknown) => {
      // A closed or unreachable store is no defect: the deletion is resumed later.
      if (!(error instanceof StoreError)) defects.report(error, { operation: 'deletion of files or readings' });
    });
    return total;
  }
  return deleted;
}
