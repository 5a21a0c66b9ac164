import { removeTags } from '../annotation-rules/tag-edits.ts';
import type { DataServiceDependencies } from '../ports/dependencies.ts';
import { datasetTag } from '../ports/capture-filter.ts';
import { StoreError } from '../ports/store-error.ts';
import { takeOutSequences } from './member-sequences.ts';
import { editMembers } from './edit-members.ts';
import { requireDataset } from './require-dataset.ts';

/**
 * Takes every member out, then deletes the dataset. The store refuses the second while a member is left, so one
 * that was added in between is taken out in the next round, and no membership outlives its dataset.
 * @throws ConnectError NotFound
 */
export async function deleteDataset(
  dependencies: Pick<DataServiceDependencies, 'store'>,
  organizationId: string,
  datasetId: string,
  signal: AbortSignal,
): Promise<void> {
  const { datasets, sequences } = dependencies.store;
  await requireDataset(dependencies.store, organizationId, datasetId);
  for (;;) {
    await editMembers(dependencies, { organizationId, datasetId }, removeTags([datasetTag(datasetId)]), signal);
    await takeOutSequences(sequences, organizationId, datasetId, signal);
    try {
      return await datasets.delete(organizationId, datasetId);
    } catch (error) {
      if (!(error instanceof StoreError && error.code === 'conflict')) throw error;
    }
  }
}
