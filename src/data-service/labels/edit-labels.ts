import type { Principal } from '../ports/principal.ts';
import { permissionDenied, requireBinaryAccess } from '../access/require-access.ts';
import { withinBounds } from '../annotation-rules/annotation-bounds.ts';
import type { BinaryEdit, EditedBinary } from '../ports/binary-store.ts';
import type { DataStore } from '../ports/data-store.ts';
import type { Assignment } from '../ports/label-store.ts';
import { unlessAccepted } from './accepted-images.ts';
import { mayReview } from './may-review.ts';

/**
 * Edits the boxes or tags of images for a caller, all or none of them. Within the transaction of the edit it is checked that no image was
 * accepted, and that an annotator has a task of each that is not blind: a blind task has boxes of its own. So no edit comes after the
 * image was accepted, or after its task was given to somebody else or deleted.
 * @param store whose changes are the caller's
 * @param principal who edits
 * @param ids of the images, each once
 * @param edit as of `BinaryStore.edit`
 * @throws ConnectError PermissionDenied, FailedPrecondition; StoreError `not-found`
 */
export async function editLabels(
  { binary }: Pick<DataStore, 'binary'>,
  principal: Principal,
  ids: readonly string[],
  edit: BinaryEdit,
): Promise<readonly EditedBinary[]> {
  await requireBinaryAccess({ binary }, principal, ids);
  const { organizationId, actor } = principal;
  const unlocked = unlessAccepted(withinBounds(edit));
  if (mayReview(principal)) return binary.edit(organizationId, ids, unlocked);
  const assigned: BinaryEdit = (record, own) => {
    requireAssigned(principal, record.id, own);
    return unlocked(record, own);
  };
  return binary.edit(organizationId, ids, assigned, actor);
}

/** @throws ConnectError PermissionDenied unless one of the annotator's own tasks of the image is not blind */
function requireAssigned({ actor }: Principal, id: string, own: readonly Assignment[]): void {
  if (own.some(({ isBlind }) => !isBlind)) return;
  throw permissionDenied(
    `Binary data ${id} is not assigned to ${actor.name || 'you'}; an annotator draws only on assigned images.`,
  );
}
