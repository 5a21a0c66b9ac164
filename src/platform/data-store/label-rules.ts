import { actorKey, type Actor } from '../../data-service/ports/audit-store.ts';
import { taskStates, type LabelScheme, type TaskCount, type TaskFilter } from '../../data-service/ports/label-store.ts';
import { byText } from '../../data-service/ports/name-order.ts';
import type { Micros } from '../../data-service/ports/stored-captures.ts';
import { StoreError } from '../../data-service/ports/store-error.ts';

/** That a worker is on an image. */
export interface Presence {
  readonly organizationId: string;
  readonly binaryDataId: string;
  readonly worker: Actor;
  readonly until: Micros;
}

// What every store of labels holds to, in one place.

/** @throws StoreError `conflict` unless the new scheme follows the present one */
export function requireNextVersion(before: LabelScheme | null, { datasetId, version }: LabelScheme): void {
  if (version === (before?.version ?? 0) + 1) return;
  throw new StoreError('conflict', `The scheme of dataset ${datasetId} was changed meanwhile; read it again.`, {
    subject: datasetId,
  });
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
 * What a list of tasks may be narrowed by: stores have an index for each of these, so that a page of it is a range. Schemas that were
 * published are made of it: another one is added by a migration of its own.
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

/** The columns of such an index that a filter uses; of an image they are few, so that nothing else need narrow them. */
export const indexOf = ({ assignee, state, datasetId, binaryDataId }: TaskFilter): readonly string[] =>
  binaryDataId !== ''
    ? ['binary_data_id']
    : [
        ...(assignee === null ? [] : ['assignee']),
        ...(state === '' ? [] : ['state']),
        ...(datasetId === '' ? [] : ['dataset_id']),
      ];
