import { isAtLeast } from '../ports/access-store.ts';
import { permissionDenied } from '../access/require-access.ts';
import type { Principal } from '../access/principal.ts';
import { actorKey } from '../ports/audit-store.ts';
import type { LabelTask } from '../ports/label-store.ts';

/** Whether a caller checks the work of others, and may see all of it. */
export const mayReview = ({ role }: Principal): boolean => isAtLeast(role, 'reviewer');

/** @throws ConnectError PermissionDenied */
export function requireReviewer(principal: Principal, what: string): void {
  if (mayReview(principal)) return;
  throw permissionDenied(`Only a reviewer ${what}; you are an annotator.`);
}

/** Whether a task is one of the caller's own. */
export const isOwn = ({ actor }: Principal, { assignee }: Pick<LabelTask, 'assignee'>): boolean =>
  actorKey(actor) === actorKey(assignee);
