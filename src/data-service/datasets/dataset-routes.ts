import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ServiceImpl } from '@connectrpc/connect';
import { DatasetType, type DatasetSchema, type DatasetService } from '../../gen/app/dataset/v1/dataset_pb.ts';
import { withinBounds } from '../annotation-rules/annotation-bounds.ts';
import { addTags } from '../annotation-rules/tag-edits.ts';
import { principalOf } from '../access/principal.ts';
import { requireOrganization } from '../access/require-access.ts';
import type { DataServiceDependencies } from '../ports/dependencies.ts';
import { datasetTag } from '../ports/capture-filter.ts';
import type { Dataset } from '../ports/dataset-store.ts';
import { invalidArgument, notFound, requireBoundedName, requireText } from '../wire/invalid-argument.ts';
import { toTimestamp } from '../wire/timestamps.ts';
import { editMembers } from './edit-members.ts';
import { requireBinaryDataset } from './require-dataset.ts';
import { deleteDataset } from './delete-dataset.ts';

type DatasetRoutes = Omit<
  ServiceImpl<typeof DatasetService>,
  'startSequenceDatasetExport' | 'getSequenceDatasetExport'
>;

/** Named collections of files, or of sequences. */
export function datasetRoutes(dependencies: DataServiceDependencies): DatasetRoutes {
  const { store, clock, ids } = dependencies;
  const { datasets } = store;
  const draft = (organizationId: string, name: string, type: Dataset['type']): Dataset => ({
    id: ids.next(),
    organizationId,
    name: requireBoundedName(name, 'name'),
    type,
    timeCreated: clock.now(),
  });

  return {
    async createDataset({ organizationId, name, type }, context) {
      requireOrganization(principalOf(context), organizationId);
      const dataset = draft(organizationId, name, type === DatasetType.SEQUENCE_DATA ? 'sequence' : 'binary');
      await datasets.create(dataset);
      return { id: dataset.id };
    },
    async deleteDataset({ id }, context) {
      await deleteDataset(dependencies, principalOf(context).organizationId, requireText(id, 'id'), context.signal);
      return {};
    },
    async renameDataset({ id, name }, context) {
      await datasets.rename(
        principalOf(context).organizationId,
        requireText(id, 'id'),
        requireBoundedName(name, 'name'),
      );
      return {};
    },
    async listDatasetsByOrganizationID({ organizationId, type }, context) {
      requireOrganization(principalOf(context), organizationId);
      const all = await datasets.list(organizationId);
      return { datasets: all.filter((dataset) => type === undefined || wireTypes[dataset.type] === type).map(toWire) };
    },
    async listDatasetsByIDs({ ids: asked }, context) {
      const distinct = [...new Set(asked)];
      return { datasets: (await datasets.get(principalOf(context).organizationId, distinct)).map(toWire) };
    },
    async mergeDatasets({ datasetIds, name, organizationId }, context) {
      requireOrganization(principalOf(context), organizationId);
      if (datasetIds.length === 0) throw invalidArgument('dataset_ids is empty; give the datasets to merge.');
      const found = await datasets.get(organizationId, datasetIds);
      const known = new Set(found.map(({ id }) => id));
      const unknown = datasetIds.find((id) => !known.has(id));
      if (unknown !== undefined) throw notFound(`There is no dataset ${unknown}.`);
      found.forEach(requireBinaryDataset);
      const merged = draft(organizationId, name, 'binary');
      await datasets.create(merged);
      try {
        for (const id of known) {
          await editMembers(
            dependencies,
            { organizationId, datasetId: id },
            withinBounds(addTags([datasetTag(merged.id)])),
            context.signal,
          );
        }
      } catch (error) {
        // A dataset with only some of its members must not remain: it is deleted even if the caller has gone.
        await deleteDataset(dependencies, organizationId, merged.id, new AbortController().signal);
        throw error;
      }
      return { datasetId: merged.id };
    },
  };
}

const wireTypes: Readonly<Record<Dataset['type'], DatasetType>> = {
  binary: DatasetType.BINARY_DATA,
  sequence: DatasetType.SEQUENCE_DATA,
};

const toWire = ({ id, name, organizationId, timeCreated, type }: Dataset): MessageInitShape<typeof DatasetSchema> => ({
  id,
  name,
  organizationId,
  timeCreated: toTimestamp(timeCreated),
  type: wireTypes[type],
});
