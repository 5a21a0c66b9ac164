import type { Principal } from '../access/principal.ts';
import type { DataStore } from '../ports/data-store.ts';
import type { BinaryRecord } from '../ports/stored-captures.ts';
import { mayReview } from './may-review.ts';

/**
 * Files as a caller may see them. An annotator with a blind task of an image does not see its boxes: they may be the ground truth that the
 * annotator is measured against.
 * @param store knows the caller's tasks; it is asked only where the caller is an annotator
 */
export async function withoutHiddenBoxes<Found extends BinaryRecord | null>(
  { labels }: Pick<DataStore, 'labels'>,
  principal: Principal,
  records: readonly Found[],
): Promise<readonly Found[]> {
  if (mayReview(principal)) return records;
  const drawn = records.flatMap((record) => (record !== null && record.boundingBoxes.length > 0 ? [record.id] : []));
  if (drawn.length === 0) return records;
  const tasks = await labels.tasksOfImages(principal.organizationId, principal.actor, drawn);
  const hidden = new Set(tasks.flatMap(({ isBlind, binaryDataId }) => (isBlind ? [binaryDataId] : [])));
  return records.map((record) =>
    record !== null && hidden.has(record.id) ? { ...record, boundingBoxes: [] } : record,
  );
}
