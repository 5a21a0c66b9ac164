import type { Principal } from '../access/principal.ts';
import type { DataStore } from '../ports/data-store.ts';
import type { BinaryRecord } from '../ports/stored-captures.ts';
import { mayReview } from './may-review.ts';

/**
 * Files as a caller may see them: who draws blind on an image does not see its boxes, which may be those by which the caller is measured.
 * @param store knows the caller's tasks; it is asked only for a caller who is not to review
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
