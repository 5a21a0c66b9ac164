import type { SequenceEdit, SequenceStore } from '../ports/sequence-store.ts';
import { StoreError } from '../ports/store-error.ts';

const batchSequences = 500;

export const addTo =
  (datasetId: string): SequenceEdit =>
  (sequence) =>
    sequence.datasetIds.includes(datasetId)
      ? sequence
      : { ...sequence, datasetIds: [...sequence.datasetIds, datasetId] };

export const removeFrom =
  (datasetId: string): SequenceEdit =>
  (sequence) =>
    sequence.datasetIds.includes(datasetId)
      ? { ...sequence, datasetIds: sequence.datasetIds.filter((id) => id !== datasetId) }
      : sequence;

/** Takes every sequence out of a dataset, a batch at a time. */
export async function takeOutSequences(
  sequences: SequenceStore,
  organizationId: string,
  datasetId: string,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const members = await sequences.list({ organizationId, datasetId }, null, batchSequences);
    if (members.length === 0) return;
    const ids = members.map(({ id }) => id);
    try {
      await sequences.edit(organizationId, ids, removeFrom(datasetId));
    } catch (error) {
      // one of them was deleted meanwhile: the others are listed again
      if (!(error instanceof StoreError && error.code === 'not-found')) throw error;
    }
  }
}
