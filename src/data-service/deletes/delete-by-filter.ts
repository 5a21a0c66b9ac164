import type { HandlerContext } from '@connectrpc/connect';
import { principalOf } from '../access/principal.ts';
import type { DataServiceDependencies } from '../dependencies.ts';
import { isOfFiles, type BinaryFilter, type TabularFilter } from '../ports/capture-filter.ts';
import { StoreError } from '../ports/store-error.ts';
import { deleteInBatches, goOnDeleting } from './go-on-deleting.ts';

/** A call answers after so long, and what it began goes on. */
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
    // over the store of this call, whose rows in the audit are summed
    goOnDeleting(store, deletion).catch((error: unknown) => {
      // the store is closed or away: it is taken up again
      if (!(error instanceof StoreError)) defects.report(error, { operation: 'deletion of files or readings' });
    });
    return total;
  }
  return deleted;
}
