import type { ServiceImpl } from '@connectrpc/connect';
import type { DataService, DeleteTabularDataRequest } from '../../gen/app/data/v1/data_pb.ts';
import { principalOf } from '../access/principal.ts';
import type { Principal } from '../ports/principal.ts';
import { requireBinaryAccess, requireOrganization } from '../access/require-access.ts';
import type { DataServiceDependencies } from '../ports/dependencies.ts';
import type { TabularFilter } from '../ports/capture-filter.ts';
import type { Micros } from '../ports/stored-captures.ts';
import { binaryDataIds } from '../wire/binary-data-id.ts';
import { invalidArgument } from '../wire/invalid-argument.ts';
import { binaryFilter, everything, readTagsFilter } from '../access/read-filter.ts';
import { deleteBinary } from './delete-binary.ts';
import { deleteByFilter } from './delete-by-filter.ts';

type DeleteRoutes = Pick<
  ServiceImpl<typeof DataService>,
  'deleteTabularData' | 'deleteBinaryDataByFilter' | 'deleteBinaryDataByIDs'
>;

const dayMicros = 86_400 * 1e6;

export function deleteRoutes(
  dependencies: Pick<DataServiceDependencies, 'store' | 'clock' | 'ids' | 'defects'>,
): DeleteRoutes {
  const { store, clock } = dependencies;

  return {
    /** Deletes readings older than whole UTC days, 0 = all. */
    async deleteTabularData(request, context) {
      const principal = principalOf(context);
      requireOrganization(principal, request.organizationId);
      const filter = tabularDeleteFilter(principal, request, clock.now());
      return { deletedCount: BigInt(await deleteByFilter(dependencies, filter, context)) };
    },
    async deleteBinaryDataByFilter({ filter, includeInternalData }, context) {
      if (filter === undefined || filter.organizationIds.length === 0) {
        throw invalidArgument('filter.organization_ids is empty; name the organization whose data shall be deleted.');
      }
      const wanted = binaryFilter(principalOf(context), filter, includeInternalData);
      return { deletedCount: BigInt(await deleteByFilter(dependencies, wanted, context)) };
    },
    async deleteBinaryDataByIDs(request, context) {
      const principal = principalOf(context);
      const ids = binaryDataIds(request);
      await requireBinaryAccess(store, principal, ids);
      return { deletedCount: BigInt(await deleteBinary(store, principal.organizationId, ids)) };
    },
  };
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
