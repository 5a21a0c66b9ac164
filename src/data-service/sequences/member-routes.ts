import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import type { DataService } from '../../gen/app/data/v1/data_pb.ts';
import { principalOf } from '../access/principal.ts';
import { requireDataset, requireSequenceDataset } from '../datasets/require-dataset.ts';
import type { DataServiceDependencies } from '../ports/dependencies.ts';
import type { SequenceEdit } from '../ports/sequence-store.ts';
import { invalidArgument, requireText } from '../wire/invalid-argument.ts';
import { addTo, removeFrom } from '../datasets/member-sequences.ts';
import { sequencePage } from './sequence-page.ts';

type MemberRoutes = Pick<
  ServiceImpl<typeof DataService>,
  'addSequencesToDataset' | 'removeSequencesFromDataset' | 'sequencesByDatasetID'
>;

/** Which sequences a dataset of sequences has: all of the ids given, or none. */
export function sequenceMemberRoutes({ store }: Pick<DataServiceDependencies, 'store'>): MemberRoutes {
  const ofSequences = async (datasetId: string, context: HandlerContext) => {
    const dataset = await requireDataset(store, principalOf(context).organizationId, datasetId);
    requireSequenceDataset(dataset);
    return dataset;
  };
  async function edit(
    request: { readonly datasetId: string; readonly sequenceIds: readonly string[] },
    editWith: (datasetId: string) => SequenceEdit,
    context: HandlerContext,
  ): Promise<Record<string, never>> {
    const ids = [...new Set(request.sequenceIds)];
    if (ids.length === 0) throw invalidArgument('sequence_ids is empty; give at least one id.');
    for (const id of ids) requireText(id, 'sequence_ids');
    const { organizationId, id } = await ofSequences(request.datasetId, context);
    await store.sequences.edit(organizationId, ids, editWith(id));
    return {};
  }

  return {
    addSequencesToDataset: (request, context) => edit(request, addTo, context),
    removeSequencesFromDataset: (request, context) => edit(request, removeFrom, context),
    async sequencesByDatasetID({ datasetId, pageSize, pageToken, countOnly }, context) {
      const { organizationId, id } = await ofSequences(datasetId, context);
      const filter = { organizationId, datasetId: id };
      const page = countOnly ? {} : await sequencePage(store, filter, { pageSize, pageToken });
      return { ...page, count: BigInt(await store.sequences.count(filter)) };
    },
  };
}
