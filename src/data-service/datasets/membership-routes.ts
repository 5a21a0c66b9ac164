import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import type { DataService } from '../../gen/app/data/v1/data_pb.ts';
import { principalOf } from '../access/principal.ts';
import { requireBinaryAccess } from '../access/require-access.ts';
import { addTags, removeTags } from '../annotation-rules/tag-edits.ts';
import type { DataServiceDependencies } from '../ports/dependencies.ts';
import type { BinaryEdit } from '../ports/binary-store.ts';
import { withinBounds } from '../annotation-rules/annotation-bounds.ts';
import { datasetTag } from '../ports/capture-filter.ts';
import { binaryDataIds } from '../wire/binary-data-id.ts';
import { requireBinaryDataset, requireDataset } from './require-dataset.ts';

type MembershipRoutes = Pick<
  ServiceImpl<typeof DataService>,
  'addBinaryDataToDatasetByIDs' | 'removeBinaryDataFromDatasetByIDs'
>;

/** Which files a dataset has: all of the ids given, or none. */
export function membershipRoutes({ store }: Pick<DataServiceDependencies, 'store'>): MembershipRoutes {
  async function edit(
    request: Parameters<typeof binaryDataIds>[0] & { readonly datasetId: string },
    editWith: (tags: readonly string[]) => BinaryEdit,
    context: HandlerContext,
  ): Promise<Record<string, never>> {
    const principal = principalOf(context);
    const ids = [...new Set(binaryDataIds(request))];
    await requireBinaryAccess(store, principal, ids);
    const dataset = await requireDataset(store, principal.organizationId, request.datasetId);
    requireBinaryDataset(dataset);
    await store.binary.edit(principal.organizationId, ids, withinBounds(editWith([datasetTag(dataset.id)])));
    return {};
  }

  return {
    addBinaryDataToDatasetByIDs: (request, context) => edit(request, addTags, context),
    removeBinaryDataFromDatasetByIDs: (request, context) => edit(request, removeTags, context),
  };
}
