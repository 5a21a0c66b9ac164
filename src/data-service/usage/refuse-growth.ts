import type { Change } from '../ports/audit-store.ts';
import type { BinaryEdit } from '../ports/binary-store.ts';
import type { ChangingStores } from '../ports/data-store.ts';
import { changesOfFiles } from '../ports/describe-capture-changes.ts';
import { changesOf } from '../ports/describe-changes.ts';
import { addsToStore } from '../ports/growth.ts';
import type { TaskEdit } from '../ports/label-store.ts';
import type { StoreError } from '../ports/store-error.ts';

interface Owned {
  readonly organizationId: string;
}

/** Runs an edit, where what adds to the store is refused from within it; null: there is room. */
export type RunEdit = <T>(refusal: StoreError | null, edit: () => Promise<T>) => Promise<T>;

/**
 * Makes stores that refuse what adds to what is there, where there is no room: tags, boxes, tasks, comments, schemes, datasets, sequences,
 * pipelines, saved queries and indexes. What takes away, and new states of tasks, go on. Uploads are held to their room elsewhere.
 * @param stores as they are
 * @param refusalOf why an organization may store nothing more now; null: it may
 * @param runEdit how an edit is run that may add or take away
 * @returns the same stores, whose writes throw that refusal
 * @example
 * import { memoryDataStore } from '../../../tests/memory-store/memory-data-store.ts';
 * import { StoreError } from '../ports/store-error.ts';
 * const full = new StoreError('resource-exhausted', 'Full.');
 * const { datasets } = refuseGrowth(memoryDataStore({ now: () => 0 }), async () => full);
 * await datasets.create({ id: 'd', organizationId: 'a', name: 'cups', type: 'binary', timeCreated: 0 }).catch(String); // => 'StoreError: Full.'
 */
export function refuseGrowth(
  stores: ChangingStores,
  refusalOf: (organizationId: string) => Promise<StoreError | null>,
  runEdit: RunEdit = (_, edit) => edit(),
): ChangingStores {
  const { binary, labels, datasets, savedQueries, sequences, pipelines, indexes } = stores;

  const withRoom =
    <Added extends Owned>(add: (added: Added) => Promise<void>) =>
    async (added: Added): Promise<void> => {
      const refusal = await refusalOf(added.organizationId);
      if (refusal !== null) throw refusal;
      await add(added);
    };
  const requireRoom = (refusal: StoreError | null, changes: () => readonly Change[]): void => {
    if (refusal !== null && changes().some(addsToStore)) throw refusal;
  };

  return {
    ...stores,
    datasets: { ...datasets, create: withRoom(datasets.create) },
    savedQueries: { ...savedQueries, create: withRoom(savedQueries.create) },
    sequences: { ...sequences, create: withRoom(sequences.create) },
    pipelines: { ...pipelines, create: withRoom(pipelines.create) },
    indexes: { ...indexes, create: withRoom(indexes.create) },
    labels: {
      ...labels,
      async addTasks(tasks) {
        const refusal = tasks[0] === undefined ? null : await refusalOf(tasks[0].organizationId);
        if (refusal !== null) throw refusal;
        return labels.addTasks(tasks);
      },
      addComment: withRoom(labels.addComment),
      putScheme: withRoom(labels.putScheme),
      async editTasks(organizationId, ids, edit) {
        const refusal = await refusalOf(organizationId);
        const withRefusal: TaskEdit = (found) => {
          const after = edit(found);
          requireRoom(refusal, () => [
            ...changesOf('task', found.task, after.task),
            ...changesOfFiles([{ before: found.image, after: after.image }]),
          ]);
          return after;
        };
        return runEdit(refusal, () => labels.editTasks(organizationId, ids, withRefusal));
      },
    },
    binary: {
      ...binary,
      async edit(organizationId, ids, edit, assignee) {
        const refusal = await refusalOf(organizationId);
        const withRefusal: BinaryEdit = (before, own) => {
          const after = edit(before, own);
          requireRoom(refusal, () => changesOfFiles([{ before, after }]));
          return after;
        };
        return runEdit(refusal, () => binary.edit(organizationId, ids, withRefusal, assignee));
      },
    },
  };
}
