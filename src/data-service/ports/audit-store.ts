import type { Interval, Micros, StructObject } from './stored-captures.ts';
import type { Position } from './capture-filter.ts';

/**
 * Who changes something. Another kind may be added at any time: stores keep the text.
 * - `person`: who is logged in; `id` is the person's.
 * - `key`: who holds the key `id`; `name` is the key's name at that time.
 * - `browser`: the person at the browser that keeps the data; no id.
 * - `terminal`: who runs `sightglass` beside the data; `id` is the name of the user of the operating system.
 * - `service`: the service itself, by a rule that it was given; no id.
 */
export interface Actor {
  /** letters, digits and hyphens */
  readonly kind: string;
  readonly id: string;
  readonly name: string;
}

/**
 * The kinds of things that change. A file has three: its tags, which hold its datasets too, its boxes, and the file itself. A session is
 * new when someone logs in, and gone when it is ended.
 */
export const changedThings = [
  'tags',
  'boxes',
  'file',
  'readings',
  'dataset',
  'sequence',
  'pipeline',
  'saved-query',
  'index',
  'key',
  'database-user',
  'organization',
  'location',
  'part',
  'secret',
  'task',
  'comment',
  'scheme',
  'member',
  'invitation',
  'passkey',
  'session',
  'refused-log-in',
] as const;
export type ChangedThing = (typeof changedThings)[number];

/**
 * Whether a text is a kind of thing that changes.
 * @param text as a person or another service gives it
 * @returns true for one of `changedThings`
 * @example
 * isChangedThing('tags'); // => true
 * isChangedThing('weather'); // => false
 */
export const isChangedThing = (text: string): text is ChangedThing =>
  (changedThings as readonly string[]).includes(text);

/** One change of one object: the fields that differ. No secret and no hash of a secret is in it. */
export interface Change {
  readonly organizationId: string;
  readonly what: ChangedThing;
  /** id of the object; for an index its name; for readings that were deleted by a filter '' */
  readonly objectId: string;
  /** '' where it has none */
  readonly objectName: string;
  /** null: it was not there */
  readonly before: StructObject | null;
  /** null: it is there no longer */
  readonly after: StructObject | null;
}

/**
 * A change that was made, when and by whom; or the sum of several that one call made of one kind, which has what they have in common.
 * Readings that a call deletes are one row.
 */
export interface AuditRow extends Change {
  /** ASCII; unique among the rows of a time */
  readonly id: string;
  /** by the store's clock; changes of one kind in one call all have the time of the first */
  readonly time: Micros;
  readonly actor: Actor;
  /** only in a sum, whose `objectId` is '': how many changes it sums */
  readonly count?: number;
}

/** All of it must match; null and '' match everything. */
export interface AuditFilter {
  /** true: each change by itself, without sums; false: a sum in place of the changes that it sums, unless `objectId` is given */
  readonly each: boolean;
  readonly organizationId: string;
  readonly actor: Pick<Actor, 'kind' | 'id'> | null;
  readonly what: ChangedThing | '';
  readonly objectId: string;
  readonly interval: Interval;
}

/**
 * Who changed what. The store writes a row, and the sum of its call, in the transaction of the change: all are durable, or none is.
 * No method changes a row.
 */
export interface AuditStore {
  /**
   * Up to `limit` matches beyond `after`, the newest first, by (time, id). A page is a range of an index, whichever fields the filter
   * has, and the rows behind a sum are skipped without being read: a page after ten million rows costs as much as the first. Only a filter by an object
   * and something else reads all rows of the object.
   */
  page(filter: AuditFilter, after: Position | null, limit: number): Promise<readonly AuditRow[]>;
  /** Everyone who made a change whose row is still kept, each once, in the order of kind and id, under their newest name. At most a thousand. */
  actors(organizationId: string): Promise<readonly Actor[]>;
  /**
   * Deletes up to `limit` of the oldest rows before `time`, for the rule that says how long rows are kept; resolves to their number.
   * Rows from before the year 2000, by a clock that was never set, stay: their age is unknown.
   */
  deleteBefore(organizationId: string, time: Micros, limit: number): Promise<number>;
}

export const mostActors = 1000;

/** Who makes the changes that are made through a store without `as`. */
export const serviceActor: Actor = { kind: 'service', id: '', name: '' };

/**
 * Writes an actor's kind and id as one text, for an index or a filter.
 * @param actor of any kind
 * @returns equal for the same kind and id only
 * @example
 * actorKey({ kind: 'key', id: 'k1' }); // => 'key:k1'
 */
export const actorKey = ({ kind, id }: Pick<Actor, 'kind' | 'id'>): string => `${kind}:${id}`;
