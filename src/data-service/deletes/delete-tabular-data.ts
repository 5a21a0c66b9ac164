import type { HandlerContext } from '@connectrpc/connect';
import type { DeleteTabularDataRequest } from '../../gen/app/data/v1/data_pb.ts';
import { principalOf, type Principal } from '../access/principal.ts';
import { requireOrganization } from '../access/require-access.ts';
import type { DataServiceDependencies } from '../dependencies.ts';
import type { Micros } from '../ports/stored-captures.ts';
import type { TabularFilter } from '../ports/capture-filter.ts';
import { everything, readTagsFilter } from '../wire/read-filter.ts';

const dayMicros = 86_400 * 1e6;
const batchRows = 2000;

/** Deletes readings older than whole UTC days, 0 = all, and returns how many. */
export async function deleteTabularData(
  { store, clock }: Pick<DataServiceDependencies, 'store' | 'clock'>,
  request: DeleteTabularDataRequest,
  context: HandlerContext,
): Promise<number> {
  const principal = principalOf(context);
  requireOrganization(principal, request.organizationId);
  const filter = tabularDeleteFilter(principal, request, clock.now());
  let deleted = 0;
  for (;;) {
    context.signal.throwIfAborted();
    const count = await store.tabular.delete(filter, batchRows);
    deleted += count;
    if (count < batchRows) return deleted;
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
