import type { HandlerContext } from '@connectrpc/connect';
import type { DeleteTabularDataRequest } from '../../gen/app/data/v1/data_pb.ts';
import { principalOf, type Principal } from '../access/principal.ts';
import { requireOrganization } from '../access/require-access.ts';
import type { DataServiceDependencies } from '../dependencies.ts';
import { StoreError } from '../ports/store-error.ts';
import type { Micros } from '../ports/stored-captures.ts';
import type { TabularFilter } from '../ports/capture-filter.ts';
import { everything, readTagsFilter } from '../wire/read-filter.ts';
import { batchRows, goOnDeleting } from './go-on-deleting.ts';

const dayMicros = 86_400 * 1e6;
/** A call answers after so long, and what it began goes on. */
const patience = 5e6;

/**
 * Deletes readings older than whole UTC days, 0 = all. After 5 s it answers while the deletion goes on.
 * @returns how many are deleted, with those that still will be
 */
export async function deleteTabularData(
  dependencies: Pick<DataServiceDependencies, 'store' | 'clock' | 'ids' | 'defects'>,
  request: DeleteTabularDataRequest,
  context: HandlerContext,
): Promise<number> {
  const { store, clock, ids, defects } = dependencies;
  const principal = principalOf(context);
  requireOrganization(principal, request.organizationId);
  const timeStarted = clock.now();
  const filter = tabularDeleteFilter(principal, request, timeStarted);
  for (let deleted = 0; ;) {
    context.signal.throwIfAborted();
    const count = await store.tabular.delete(filter, batchRows);
    deleted += count;
    if (count < batchRows) return deleted;
    if (store.deletions === null || clock.now() - timeStarted < patience) continue;
    const { count: left } = await store.tabular.summarize(filter);
    const { organizationId, actor } = principal;
    const syncedUntil = await store.now();
    const id = ids.next();
    const total = deleted + left;
    const deletion = { id, organizationId, filter, syncedUntil, actor, timeStarted, total, deleted };
    await store.deletions.put(deletion);
    // over the store of this call, whose rows in the audit are summed
    goOnDeleting(store, deletion).catch((error: unknown) => {
      // the store is closed or away: it is taken up again
      if (!(error instanceof StoreError)) defects.report(error, { operation: 'deletion of readings' });
    });
    return total;
  }
}

function tabularDeleteFilter(
  principal: Principal,
  { filter, deleteOlderThanDays }: DeleteTabularDataRequest,
  now: Micros,
): TabularFilter {
  return {
    ...everything(principal, true, filter),
    robotId: filter?.robotId ?? '',
    componentType: filter?.componentType ?? '',
    componentName: filter?.componentName ?? '',
    methodName: filter?.method ?? '',
    ...readTagsFilter(filter?.tagsFilter),
    interval: { start: null, end: cutOff(deleteOlderThanDays, now) },
    additionalParameters: null,
  };
}

/** The first time that is kept: 1 day keeps only today, counted from midnight UTC; null keeps nothing. */
const cutOff = (days: number, now: Micros): Micros | null =>
  days === 0 ? null : Math.floor(now / dayMicros) * dayMicros - (days - 1) * dayMicros;
