import type { ServiceImpl } from '@connectrpc/connect';
import type { DataService } from '../../gen/app/data/v1/data_pb.ts';
import { principalOf } from '../access/principal.ts';
import { requireBinaryAccess } from '../access/require-access.ts';
import type { DataServiceDependencies } from '../dependencies.ts';
import { binaryPages } from '../retrieval/binary-pages.ts';
import { binaryDataIds } from '../wire/binary-data-id.ts';
import { invalidArgument } from '../wire/invalid-argument.ts';
import { binaryFilter } from '../wire/read-filter.ts';
import { deleteBinary } from './delete-binary.ts';
import { deleteTabularData } from './delete-tabular-data.ts';

type DeleteRoutes = Pick<
  ServiceImpl<typeof DataService>,
  'deleteTabularData' | 'deleteBinaryDataByFilter' | 'deleteBinaryDataByIDs'
>;

export function deleteRoutes(
  dependencies: Pick<DataServiceDependencies, 'store' | 'clock' | 'ids' | 'defects'>,
): DeleteRoutes {
  const { store } = dependencies;

  return {
    async deleteTabularData(request, context) {
      return { deletedCount: BigInt(await deleteTabularData(dependencies, request, context)) };
    },
    async deleteBinaryDataByFilter({ filter, includeInternalData }, context) {
      if (filter === undefined || filter.organizationIds.length === 0) {
        throw invalidArgument('filter.organization_ids is empty; name the organization whose data shall be deleted.');
      }
      const principal = principalOf(context);
      const wanted = binaryFilter(principal, filter, includeInternalData);
      let deleted = 0;
      for await (const records of binaryPages(store.binary, wanted, context.signal)) {
        deleted += await deleteBinary(
          store,
          principal.organizationId,
          records.map(({ id }) => id),
        );
      }
      return { deletedCount: BigInt(deleted) };
    },
    async deleteBinaryDataByIDs(request, context) {
      const principal = principalOf(context);
      const ids = binaryDataIds(request);
      await requireBinaryAccess(store, principal, ids);
      return { deletedCount: BigInt(await deleteBinary(store, principal.organizationId, ids)) };
    },
  };
}
