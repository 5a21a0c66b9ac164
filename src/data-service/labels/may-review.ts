import { isAtLeast } from '../ports/access-store.ts';
import type { Principal } from '../ports/principal.ts';
import { actorKey } from '../ports/audit-store.ts';
import type { LabelTask } from '../ports/label-store.ts';

/** Whether a caller checks the work of others, and may see all of it. */
export const mayReview = ({ role }: Principal): boolean => isAtLeast(role, 'reviewer');

/** Whether a task is one of the caller's own. */
export const isOwn = ({ actor }: Principal, { assignee }: Pick<LabelTask, 'assignee'>): boolean =>
  actorKey(actor) === actorKey(assignee);
