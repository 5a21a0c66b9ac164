import { type Actor, actorKey } from '../../data-service/face/accounts.ts';
import {
  type Assignment,
  type LabelScheme,
  type LabelTask,
  StoreError,
  taskBytes,
  type TaskCount,
  type TaskFilter,
  taskPageBytes,
  taskStates,
} from '../../data-service/face/stores.ts';
import { byText, type Micros } from '../../data-service/face/captures.ts';

/** That a worker is on an image. */
export interface Presence {
  readonly organizationId: string;
  readonly binaryDataId: string;
  readonly worker: Actor;
  readonly until: Micros;
}

// Rules that all stores of labels share.

/** The first of the tasks that fit into one answer of `LabelStore.listTasks`: at least one. */
export function withinPageBytes(tasks: readonly LabelTask[]): readonly LabelTask[] {
  let bytes = 0;
  const end = tasks.findIndex((task, at) => (bytes += taskBytes(task)) > taskPageBytes && at > 0);
  return end < 0 ? tasks : tasks.slice(0, end);
}

/** @throws StoreError `conflict` unless the new scheme follows the present one */
export function requireNextVersion(before: LabelScheme | null, { datasetId, version }: LabelScheme): void {
  if (version === (before?.version ?? 0) + 1) return;
  throw new StoreError('conflict', `The scheme of dataset ${datasetId} was changed meanwhile; read it again.`, {
    subject: datasetId,
  });
}

/**
 * The part of a task that is told to whoever asks only that it is there.
 * @param task as it is stored
 */
export const assignmentOf = ({ id, binaryDataId, isBlind }: LabelTask): Assignment => ({ id, binaryDataId, isBlind });

/** The tasks of each image. */
export function byImage(tasks: readonly Assignment[]): (binaryDataId: string) => readonly Assignment[] {
  const found = new Map<string, Assignment[]>();
  for (const task of tasks) {
    const own = found.get(task.binaryDataId);
    if (own) own.push(task);
    else found.set(task.binaryDataId, [task]);
  }
  return (binaryDataId) => found.get(binaryDataId) ?? [];
}

/** Counts in the order of `LabelStore.countTasks`. */
export const inOrder = (counts: readonly TaskCount[]): readonly TaskCount[] =>
  [...counts].sort(
    (a, b) =>
      byText(actorKey(a.assignee), actorKey(b.assignee)) || taskStates.indexOf(a.state) - taskStates.indexOf(b.state),
  );

/** The others of those who are on an image, in the order of `LabelStore.announce`. */
export const othersThan = (worker: Actor, present: readonly Presence[]): readonly Actor[] =>
  present
    .map((one) => one.worker)
    .filter((other) => actorKey(other) !== actorKey(worker))
    .sort((a, b) => byText(actorKey(a), actorKey(b)));

/**
 * The columns of the indexes of tasks, one for each way to narrow a list, so that a page is a range of an index. The published schemas are
 * made from this list, so it must not change: a migration of its own adds another index.
 */
export const taskIndexes = [
  [],
  ['assignee'],
  ['state'],
  ['assignee', 'state'],
  ['dataset_id'],
  ['assignee', 'dataset_id'],
  ['state', 'dataset_id'],
  ['assignee', 'state', 'dataset_id'],
  ['binary_data_id'],
] as const;

/** The columns of the index by which a filter is answered. An image has so few tasks that its own index is enough. */
export const indexOf = ({ assignee, state, datasetId, binaryDataId }: TaskFilter): readonly string[] =>
  binaryDataId !== ''
    ? ['binary_data_id']
    : [
        ...(assignee === null ? [] : ['assignee']),
        ...(state === '' ? [] : ['state']),
        ...(datasetId === '' ? [] : ['dataset_id']),
      ];
