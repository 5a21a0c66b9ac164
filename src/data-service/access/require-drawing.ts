import { mayReview } from '../labels/may-review.ts';
import type { DataStore } from '../ports/data-store.ts';
import type { Principal } from './principal.ts';
import { permissionDenied } from './require-access.ts';

/**
 * Requires that the caller may draw on images, and tag them: an annotator only where a task assigns the image to the annotator, and not
 * blindly. A blind task has boxes of its own.
 * @throws ConnectError PermissionDenied
 */
export async function requireDrawing(
  principal: Principal,
  { labels }: Pick<DataStore, 'labels'>,
  ids: readonly string[],
): Promise<void> {
  if (mayReview(principal)) return;
  const { organizationId, actor } = principal;
  const tasks = await labels.tasksOfImages(organizationId, actor, ids);
  const assigned = new Set(tasks.flatMap(({ isBlind, binaryDataId }) => (isBlind ? [] : [binaryDataId])));
  const other = ids.find((id) => !assigned.has(id));
  if (other === undefined) return;
  throw permissionDenied(
    `Binary data ${other} is not assigned to ${actor.name || 'you'}; an annotator draws only on assigned images.`,
  );
}
