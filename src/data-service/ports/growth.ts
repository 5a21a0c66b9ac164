import type { Change, ChangedThing } from './audit-store.ts';
import type { StructObject } from './stored-captures.ts';

/**
 * The kinds of changes whose rows in the audit count against the quota of an organization: of what people make of data. Changes of who
 * has access do not, and neither do deletions of files and readings, which make room.
 */
export const countedChanges: readonly ChangedThing[] = [
  'tags',
  'boxes',
  'task',
  'comment',
  'scheme',
  'dataset',
  'sequence',
  'pipeline',
  'saved-query',
  'index',
];

/**
 * So many bytes of what a store keeps beside the bytes of a file count for no quota: its names, times and origin, and a few boxes. What is
 * beyond counts, so that nobody fills a disk with the boxes of tiny pictures.
 */
export const freeDescriptionBytes = 1024;

/**
 * Whether a change adds to what an organization stores, so that it needs room. What only takes away does not, and neither does a new
 * state of a task: on a full disk, and over a quota, work can be handed in, checked and deleted.
 * @param change of one thing, with what is new in `after`
 * @returns true: it is refused where there is no room
 * @example
 * const change = { organizationId: 'a', what: 'tags', objectId: 'f', objectName: '', before: { tags: ['cup'] } };
 * addsToStore({ ...change, after: { tags: [] } }); // => false
 * addsToStore({ ...change, after: { tags: ['mug'] } }); // => true
 */
export function addsToStore({ what, before, after }: Change): boolean {
  if (after === null || !countedChanges.includes(what)) return false;
  if (what === 'tags' || what === 'boxes') return lengthOf(after[what]) > 0;
  if (before === null) return true;
  if (what === 'task') return (after['boxes'] ?? '[]') !== '[]';
  return JSON.stringify(after).length > JSON.stringify(before).length;
}

const lengthOf = (list: StructObject[string] | undefined): number => (Array.isArray(list) ? list.length : 0);
