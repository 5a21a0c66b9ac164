import { isAtLeast } from '../ports/access-store.ts';
import type { DataStore } from '../ports/data-store.ts';
import type { Principal } from './principal.ts';
import { permissionDenied } from './require-access.ts';

/** A worker has at most one task of an image. */
const mostTasks = 1;

/**
 * Requires that the caller may draw on images, and tag them: an annotator only where a task assigns the image to the annotator, and not
 * blindly. A blind task has boxes of its own.
 * @throws ConnectError PermissionDenied
 */
export async function requireDrawing(
  { organizationId, role, actor }: Principal,
  { labels }: Pick<DataStore, 'labels'>,
  ids: readonly string[],
): Promise<void> {
  if (isAtLeast(role, 'reviewer')) return;
  const own = { organizationId, locationId: null, assignee: actor, state: '', datasetId: '' } as const;
  for (const binaryDataId of ids) {
    const [task] = await labels.listTasks({ ...own, binaryDataId }, null, mostTasks);
    if (task === undefined || task.isBlind) {
      throw permissionDenied(
        `Binary data ${binaryDataId} is not assigned to ${actor.name || 'you'}; an annotator draws only on assigned images.`,
      );
    }
  }
}
