import { removeTags } from '../annotations/tag-edits.ts';
import type { DataServiceDependencies } from '../dependencies.ts';
import { datasetTag } from '../ports/capture-filter.ts';
import { StoreError } from '../ports/store-error.ts';
import { notFound } from '../wire/invalid-argument.ts';
import { editMembers } from './edit-members.ts';

/**
 * Takes the tag off every member, then deletes the dataset. The store refuses the second while a member is left, so one
 * that was added in between is taken off in the next round, and no tag outlives its dataset.
 * @throws ConnectError NotFound
 */
export async function deleteDataset(
  dependencies: Pick<DataServiceDependencies, 'store'>,
  organizationId: string,
  datasetId: string,
  signal: AbortSignal,
): Promise<void> {
  const { datasets } = dependencies.store;
  const [dataset] = await datasets.get(organizationId, [datasetId]);
  if (dataset === undefined) throw notFound(`There is no dataset ${datasetId}.`);
  for (;;) {
    await editMembers(dependencies, { organizationId, datasetId }, removeTags([datasetTag(datasetId)]), signal);
    try {
      return await datasets.delete(organizationId, datasetId);
    } catch (error) {
      if (!(error instanceof StoreError && error.code === 'conflict')) throw error;
    }
  }
}
