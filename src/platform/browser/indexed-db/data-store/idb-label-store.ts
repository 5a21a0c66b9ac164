import { type Actor, actorKey } from '../../../../data-service/face/accounts.ts';
import type { BinaryFilter, BinaryRecord } from '../../../../data-service/face/captures.ts';
import type { Clock } from '../../../../data-service/face/hosts.ts';
import {
  type Assignment,
  changesOf,
  type LabelStore,
  type LabelTask,
  matchesTask,
  type TaskCount,
  type TaskState,
} from '../../../../data-service/face/stores.ts';
import type { CommentStore } from '../../../data-store/entities/comment-store.ts';
import type { SchemeStore } from '../../../data-store/entities/scheme-store.ts';
import { editedTasks, placeOfTask, tasksToAdd } from '../../../data-store/edited-tasks.ts';
import { assignmentOf, indexOf, inOrder, othersThan, withinPageBytes } from '../../../data-store/label-rules.ts';
import type { KeepChanges } from './idb-tables.ts';
import type { IdbCaptures } from './idb-captures.ts';
import type { IdbDatabase } from './idb-database.ts';
import { fileStores, replaceFiles } from './idb-files.ts';
import type { IdbResults } from './idb-result-store.ts';
import type { ReadTransaction, StoredTask, WriteTransaction } from './schema.ts';

/** Tasks that are read at a time: each may have thousands of boxes. */
const mostAtOnce = 50;

/** Not over `Tables`, as the stores in SQL are not: they measure and count tasks, which may have thousands of boxes, without reading them. */
export function idbLabelStore(
  database: IdbDatabase,
  captures: IdbCaptures<BinaryRecord, BinaryFilter>,
  results: IdbResults,
  clock: Clock,
  keep: KeepChanges,
): Omit<LabelStore, keyof SchemeStore | keyof CommentStore> {
  /** The images of tasks, with all tasks of these images. */
  async function there(transaction: WriteTransaction, organizationId: string, of: readonly LabelTask[]) {
    const ids = [...new Set(of.map(({ binaryDataId }) => binaryDataId))];
    const images = await captures.get(transaction, organizationId, ids);
    const byImage = indexBy(transaction, ['binary_data_id']);
    const tasks = await Promise.all(ids.map((id) => byImage.getAll(below([organizationId, id]))));
    return { images: images.filter((image) => image !== null), tasks: tasks.flat().map(({ task }) => task) };
  }

  return {
    addTasks: (wanted) =>
      database.write([...fileStores, 'labelTasks'], async (transaction) => {
        if (wanted.length === 0) return [];
        const { images, tasks: known } = await there(transaction, wanted[0]!.organizationId, wanted);
        const added = tasksToAdd(wanted, images, known.map(placeOfTask));
        const tasks = transaction.objectStore('labelTasks');
        await Promise.all(added.map((task) => tasks.add(stored(task))));
        await keep(
          transaction,
          added.flatMap((task) => changesOf('task', null, task)),
        );
        return added;
      }),
    getTasks: (organizationId, ids) =>
      database.read(['labelTasks'], (transaction) =>
        Promise.all(ids.map((id) => taskOf(transaction, organizationId, id))),
      ),
    assignments: (organizationId, assignee, binaryDataIds) =>
      database.read(['labelTasks'], (transaction) => assignments(transaction, organizationId, assignee, binaryDataIds)),
    listTasks: (filter, after, limit) =>
      database.read(['labelTasks'], async (transaction) => {
        const columns = indexOf(filter);
        const values: Readonly<Record<string, string>> = {
          assignee: filter.assignee === null ? '' : actorKey(filter.assignee),
          state: filter.state,
          dataset_id: filter.datasetId,
          binary_data_id: filter.binaryDataId,
        };
        const key = [filter.organizationId, ...columns.map((column) => values[column]!)];
        const index = indexBy(transaction, columns);
        const found: LabelTask[] = [];
        const readAtOnce = Math.min(limit, mostAtOnce);
        for (let from = after; found.length < limit;) {
          const begin = from === null ? key : [...key, from.time, from.id];
          const page = await index.getAll(IDBKeyRange.bound(begin, [...key, []], from !== null), readAtOnce);
          found.push(...page.map(({ task }) => task).filter((task) => matchesTask(filter, task)));
          if (page.length < readAtOnce || withinPageBytes(found).length < found.length) break;
          from = page.at(-1)!;
        }
        return withinPageBytes(found.slice(0, limit));
      }),
    countTasks: (filter) =>
      database.read(['labelTasks'], async (transaction) => {
        const index = indexBy(transaction, ['assignee', 'state']);
        const { organizationId, locationId, partId, datasetId } = filter;
        const all = { ...filter, assignee: null, state: '', binaryDataId: '' } as const;
        const counts: TaskCount[] = [];
        // from each assignee and state to the next, whatever number of tasks they have
        for (let range = below([organizationId]); ;) {
          const next: StoredTask | undefined = await index.get(range);
          if (next === undefined) return inOrder(counts);
          const { assignee, state } = next;
          const key = [organizationId, assignee, state];
          const ofDataset = indexBy(transaction, ['assignee', 'state', 'dataset_id']);
          const count =
            locationId !== null || partId !== null
              ? (await index.getAll(below(key))).filter(({ task }) => matchesTask(all, task)).length
              : datasetId === ''
                ? await index.count(below(key))
                : await ofDataset.count(below([...key, datasetId]));
          if (count > 0) counts.push({ assignee: next.task.assignee, state: state as TaskState, count });
          range = IDBKeyRange.bound([...key, []], [organizationId, []]);
        }
      }),
    editTasks: (organizationId, ids, edit) =>
      database.write([...fileStores, 'labelTasks'], async (transaction) => {
        const found = await Promise.all(ids.map((id) => taskOf(transaction, organizationId, id)));
        const known = await there(
          transaction,
          organizationId,
          found.filter((task) => task !== null),
        );
        const { changed, deleted, files, changes, left } = editedTasks(ids, known, edit);
        const tasks = transaction.objectStore('labelTasks');
        await Promise.all(changed.map((task) => tasks.put(stored(task))));
        await Promise.all(deleted.map(({ id }) => tasks.delete(id)));
        await replaceFiles(transaction, captures, results, files);
        await keep(transaction, changes);
        return left;
      }),

    announce: (organizationId, binaryDataId, worker, length) =>
      database.write(['labelPresence'], async (transaction) => {
        const presence = transaction.objectStore('labelPresence');
        const now = clock.now();
        const over = await presence.index('end').getAllKeys(IDBKeyRange.upperBound(now));
        await Promise.all(over.map((key) => presence.delete(key)));
        const until = now + length;
        const own: [string, string, string] = [organizationId, binaryDataId, actorKey(worker)];
        if (length > 0) await presence.put({ organizationId, binaryDataId, worker, until }, own);
        else await presence.delete(own);
        return othersThan(worker, await presence.getAll(below([organizationId, binaryDataId])));
      }),
  };
}

const stored = (task: LabelTask): StoredTask => ({
  id: task.id,
  organization_id: task.organizationId,
  binary_data_id: task.binaryDataId,
  dataset_id: task.datasetId,
  assignee: actorKey(task.assignee),
  state: task.state,
  time: task.timeCreated,
  task,
});

const indexBy = (transaction: ReadTransaction | WriteTransaction, columns: readonly string[]) =>
  transaction.objectStore('labelTasks').index(['by', ...columns].join(' '));

/** All keys that begin so. */
const below = (key: readonly string[]): IDBKeyRange => IDBKeyRange.bound(key, [...key, []]);

async function taskOf(
  transaction: ReadTransaction | WriteTransaction,
  organizationId: string,
  id: string,
): Promise<LabelTask | null> {
  const found = await transaction.objectStore('labelTasks').get(id);
  return found?.task.organizationId === organizationId ? found.task : null;
}

/** Which of these images an assignee has tasks of. */
export async function assignments(
  transaction: ReadTransaction | WriteTransaction,
  organizationId: string,
  assignee: Pick<Actor, 'kind' | 'id'>,
  binaryDataIds: readonly string[],
): Promise<readonly Assignment[]> {
  const byImage = indexBy(transaction, ['binary_data_id']);
  const found = await Promise.all(binaryDataIds.map((id) => byImage.getAll(below([organizationId, id]))));
  return found.flat().flatMap(({ assignee: key, task }) => (key === actorKey(assignee) ? [assignmentOf(task)] : []));
}

/** Tasks and comments go with their images, within the write that deletes these. */
export async function forgetLabels(transaction: WriteTransaction, images: readonly BinaryRecord[]): Promise<void> {
  const tasks = transaction.objectStore('labelTasks');
  const comments = transaction.objectStore('labelComments');
  await Promise.all(
    images.map(async ({ organizationId, id }) => {
      const range = below([organizationId, id]);
      const taskKeys = await indexBy(transaction, ['binary_data_id']).getAllKeys(range);
      const commentKeys = await comments.index('image').getAllKeys(range);
      await Promise.all([
        ...taskKeys.map((key) => tasks.delete(key)),
        ...commentKeys.map((key) => comments.delete(key)),
      ]);
    }),
  );
}
