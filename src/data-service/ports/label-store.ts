import type { Place } from './access-store.ts';
import { actorKey, type Actor } from './audit-store.ts';
import type { Position } from './capture-filter.ts';
import type { BinaryRecord, BoundingBox, Micros } from './stored-captures.ts';

/**
 * `open`: to be labelled; `done`: handed in; `to-fix`: sent back; `accepted`: checked.
 */
export const taskStates = ['open', 'done', 'to-fix', 'accepted'] as const;
export type TaskState = (typeof taskStates)[number];

/** One image to be labelled by one worker. A worker has at most one task of an image. */
export interface LabelTask {
  readonly id: string;
  readonly organizationId: string;
  readonly binaryDataId: string;
  /** the location of the image */
  readonly locationId: string;
  /** the part that captured the image */
  readonly partId: string;
  /** '': of no dataset */
  readonly datasetId: string;
  readonly assignee: Actor;
  readonly state: TaskState;
  /** whether the assignee draws without seeing the image's boxes, into `boxes` here. An image has at most one task that is not blind. */
  readonly isBlind: boolean;
  /** boxes that the assignee of a blind task has drawn */
  readonly boxes: readonly BoundingBox[];
  /** ground-truth boxes, against which the assignee of a blind task is measured; null: there are none */
  readonly truth: readonly BoundingBox[] | null;
  /** grows with each change */
  readonly version: number;
  readonly timeCreated: Micros;
  readonly timeChanged: Micros;
  readonly changedBy: Actor;
  /** why it was sent back; '': no reason */
  readonly reason: string;
}

/** All of it must match; null and '' match everything. */
export interface TaskFilter extends Place {
  readonly organizationId: string;
  readonly assignee: Pick<Actor, 'kind' | 'id'> | null;
  readonly state: TaskState | '';
  readonly datasetId: string;
  readonly binaryDataId: string;
}

/** How many tasks of a state an assignee has. */
export interface TaskCount {
  /** under the name of one of the tasks */
  readonly assignee: Actor;
  readonly state: TaskState;
  readonly count: number;
}

/** That an image is assigned, without what was drawn on it, which may be megabytes. */
export type Assignment = Pick<LabelTask, 'id' | 'binaryDataId' | 'isBlind'>;

/** What an edit sees of a task. */
export interface TaskAndImage {
  readonly task: LabelTask;
  readonly image: BinaryRecord;
  /** the other tasks of the image */
  readonly others: readonly LabelTask[];
}

/** A task and its image after an edit; the task null: it is deleted. */
export interface EditedTask {
  readonly task: LabelTask | null;
  /** the very same object: nothing to write. Only its boxes and `accepted` may differ. */
  readonly image: BinaryRecord;
}

/**
 * Makes the new state of a task, and of its image, from the present ones, as `BinaryEdit` does for a file: a pure function that is called
 * inside the transaction. An error that it throws undoes the whole call. It keeps the ids, the location, the part and the dataset.
 */
export type TaskEdit = (found: TaskAndImage) => EditedTask;

/** About so many bytes of tasks are read at a time: a task may have thousands of boxes, and a store is read on the thread that serves. */
export const taskPageBytes = 2 ** 19;

/**
 * Estimates what a task takes, most of which are its boxes.
 * @param task as it is stored
 * @returns bytes, about
 * @example
 * taskBytes({ boxes: [], truth: null }); // => 500
 */
export const taskBytes = ({ boxes, truth }: Pick<LabelTask, 'boxes' | 'truth'>): number =>
  500 + 200 * (boxes.length + (truth?.length ?? 0));

/** What somebody says of an image. */
export interface LabelComment {
  readonly id: string;
  readonly organizationId: string;
  readonly binaryDataId: string;
  /** '': of no task */
  readonly taskId: string;
  readonly author: Actor;
  readonly text: string;
  /** by fractions of the image's width and height; null: none */
  readonly place: { readonly x: number; readonly y: number } | null;
  readonly isResolved: boolean;
  readonly timeCreated: Micros;
}

export interface SchemeLabel {
  readonly name: string;
  /** colour such as #1f77b4; '': none is given */
  readonly color: string;
  readonly description: string;
  readonly attributes: readonly { readonly name: string; readonly values: readonly string[] }[];
  /** '': none */
  readonly exampleBinaryDataId: string;
}

/** A label of a dataset that a model calls by another name. */
export interface LabelPair {
  readonly label: string;
  readonly modelLabel: string;
}

/** The label scheme of a dataset: the labels that are given in it. */
export interface LabelScheme {
  readonly organizationId: string;
  readonly datasetId: string;
  /** in the order in which they are offered */
  readonly labels: readonly SchemeLabel[];
  /** labels of the dataset that models call by other names; absent: none */
  readonly pairs?: readonly LabelPair[];
  /** from 1, and larger with each change */
  readonly version: number;
}

/**
 * Who labels what, and what is said of it. Methods are atomic and durable. Tasks and comments go with their image, a scheme with its
 * dataset.
 */
export interface LabelStore {
  /**
   * Adds tasks of one organization, and resolves to those that were added. Left out are those whose image is not there, whose assignee has a
   * task of the image already, and, of those that are not blind, those whose image has another one that is not, or was accepted.
   */
  addTasks(tasks: readonly LabelTask[]): Promise<readonly LabelTask[]>;
  /** In the order of the ids, null for each that the organization does not have. */
  getTasks(organizationId: string, ids: readonly string[]): Promise<readonly (LabelTask | null)[]>;
  /** Which of these images an assignee has tasks of, in any order. Nothing that was drawn is read. */
  assignments(
    organizationId: string,
    assignee: Pick<Actor, 'kind' | 'id'>,
    binaryDataIds: readonly string[],
  ): Promise<readonly Assignment[]>;
  /**
   * Up to `limit` matches beyond `after`, the oldest first, by (time created, id); fewer, but at least one, where they take more than
   * `taskPageBytes`. There are no more where none is answered. Without a location, a part or an image, a page is a range of an
   * index, whichever other fields the filter has.
   */
  listTasks(filter: TaskFilter, after: Position | null, limit: number): Promise<readonly LabelTask[]>;
  /** Counts tasks by assignee and state, in the order of `actorKey`, then of `taskStates`; what there is none of is left out. */
  countTasks(filter: Pick<TaskFilter, 'organizationId' | keyof Place | 'datasetId'>): Promise<readonly TaskCount[]>;
  /**
   * Edits each task once (ids are distinct), all or nothing; an edit sees what those before it have made. The first id that the organization
   * does not have is `not-found`. Resolves to those that are left, in the order of the ids.
   */
  editTasks(organizationId: string, ids: readonly string[], edit: TaskEdit): Promise<readonly LabelTask[]>;

  /** `not-found` without its image. */
  addComment(comment: LabelComment): Promise<void>;
  /** Up to `limit` of an image beyond `after`, the oldest first, by (time created, id). */
  listComments(
    organizationId: string,
    binaryDataId: string,
    after: Position | null,
    limit: number,
  ): Promise<readonly LabelComment[]>;
  /** `not-found` for one that the image does not have. `edit` is pure, and what it throws undoes the call. */
  editComment(
    organizationId: string,
    binaryDataId: string,
    id: string,
    edit: (comment: LabelComment) => LabelComment,
  ): Promise<LabelComment>;

  getScheme(organizationId: string, datasetId: string): Promise<LabelScheme | null>;
  /** Adds or replaces. `not-found` without its dataset; `conflict` unless its version is one more than that of the one there is (0: there is none). */
  putScheme(scheme: LabelScheme): Promise<void>;
  /** `not-found`. */
  deleteScheme(organizationId: string, datasetId: string): Promise<void>;

  /**
   * Says that a worker is on an image for `length` from now, by the time of the store, or no longer (0). Resolves to the others who are on
   * it, in the order of `actorKey`, on whichever host. It leaves no row in the audit.
   */
  announce(organizationId: string, binaryDataId: string, worker: Actor, length: Micros): Promise<readonly Actor[]>;
}

/** Where a task or a comment stands in a list. */
export const positionOfCreated = ({ timeCreated, id }: Pick<LabelTask, 'timeCreated' | 'id'>): Position => ({
  time: timeCreated,
  id,
});

/**
 * Whether a filter matches a task. This is the reference for every store, whatever index it uses.
 * @param filter what is asked for
 * @param task as it is stored
 * @returns true where all conditions hold
 * @example
 * const filter = { organizationId: 'a', locationId: null, partId: null, assignee: null, state: '', datasetId: '', binaryDataId: '' } as const;
 * matchesTask({ ...filter, state: 'open' }, { organizationId: 'a', state: 'done' }); // => false
 */
export const matchesTask = (filter: TaskFilter, task: LabelTask): boolean =>
  filter.organizationId === task.organizationId &&
  (filter.locationId === null || filter.locationId === task.locationId) &&
  (filter.partId === null || filter.partId === task.partId) &&
  (filter.assignee === null || actorKey(filter.assignee) === actorKey(task.assignee)) &&
  (filter.state === '' || filter.state === task.state) &&
  (filter.datasetId === '' || filter.datasetId === task.datasetId) &&
  (filter.binaryDataId === '' || filter.binaryDataId === task.binaryDataId);
