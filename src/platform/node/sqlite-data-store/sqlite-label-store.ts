import { type Actor, actorKey } from '../../../data-service/face/accounts.ts';
import type { BinaryFilter, BinaryRecord } from '../../../data-service/face/captures.ts';
import type { Clock } from '../../../data-service/face/hosts.ts';
import {
  type Assignment,
  changesOf,
  type LabelStore,
  type LabelTask,
  type TaskFilter,
  taskPageBytes,
  type TaskState,
} from '../../../data-service/face/stores.ts';
import type { CommentStore } from '../../data-store/entities/comment-store.ts';
import type { SchemeStore } from '../../data-store/entities/scheme-store.ts';
import { editedTasks, tasksToAdd, type TaskPlace } from '../../data-store/edited-tasks.ts';
import { indexOf, inOrder, othersThan, type Presence } from '../../data-store/label-rules.ts';
import { taskIndexName } from '../../data-store/task-index-sql.ts';
import { EntryTable, readEntry } from './entry-table.ts';
import type { KeepChanges } from './sqlite-tables.ts';
import type { SqliteCaptures } from './sqlite-captures.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import type { SqliteResults } from './sqlite-result-store.ts';

const taskTable = (database: SqliteDatabase) =>
  new EntryTable<LabelTask>(database, 'label_tasks', (task) => ({
    id: task.id,
    organization_id: task.organizationId,
    binary_data_id: task.binaryDataId,
    location_id: task.locationId,
    part_id: task.partId,
    dataset_id: task.datasetId,
    assignee: actorKey(task.assignee),
    state: task.state,
    time_created: task.timeCreated,
    is_blind: Number(task.isBlind),
  }));

export const labelTables = (database: SqliteDatabase) => ({
  tasks: taskTable(database),
  presence: new EntryTable<Presence>(database, 'label_presence', ({ organizationId, binaryDataId, worker, until }) => ({
    organization_id: organizationId,
    binary_data_id: binaryDataId,
    worker: actorKey(worker),
    until,
  })),
});

/**
 * Written in SQL, not over `Tables`: a page is as long as its tasks' bytes allow, which are known without reading a task, and tasks are
 * counted by assignee and state, also those of one part, without reading them.
 */
export function sqliteLabelStore(
  database: SqliteDatabase,
  captures: SqliteCaptures<BinaryRecord, BinaryFilter>,
  results: SqliteResults,
  clock: Clock,
  keep: KeepChanges,
): Omit<LabelStore, keyof SchemeStore | keyof CommentStore> {
  const { tasks, presence } = labelTables(database);
  const imagesOf = (organizationId: string, of: readonly LabelTask[]) => {
    const ids = [...new Set(of.map(({ binaryDataId }) => binaryDataId))];
    return { ids, images: ids.flatMap((id) => captures.find(organizationId, id) ?? []) };
  };
  /** The images of tasks, with all tasks of these images. */
  const there = (organizationId: string, of: readonly LabelTask[]) => {
    const { ids, images } = imagesOf(organizationId, of);
    return { images, tasks: ids.flatMap((id) => tasks.list({ organization_id: organizationId, binary_data_id: id })) };
  };
  const taskOf = (organizationId: string, id: string) => tasks.find({ organization_id: organizationId, id }) ?? null;

  return {
    addTasks: (wanted) =>
      database.write(() => {
        if (wanted.length === 0) return [];
        const [{ organizationId }] = wanted as [LabelTask];
        const { ids, images } = imagesOf(organizationId, wanted);
        const places = ids.flatMap((id) => placesOf(database, organizationId, id));
        const added = tasksToAdd(wanted, images, places);
        for (const task of added) tasks.insert(task);
        keep(added.flatMap((task) => changesOf('task', null, task)));
        return added;
      }),
    getTasks: (organizationId, ids) => database.read(() => ids.map((id) => taskOf(organizationId, id))),
    assignments: (organizationId, assignee, binaryDataIds) =>
      database.read(() => assignments(database, organizationId, assignee, binaryDataIds)),
    listTasks: (filter, after, limit) =>
      database.read(() => {
        const { index, wheres, values } = rangeOf(filter);
        const { time, id } = after ?? { time: -Infinity, id: '' };
        const page = (columns: string) => `SELECT ${columns} FROM label_tasks ${index} WHERE ${wheres.join(' AND ')}
          AND (time_created, id) > (?, ?) ORDER BY time_created, id LIMIT ?`;
        let [count, bytes] = [0, 0];
        // the length of a blob is known without reading it: of one that does not fit nothing is read
        for (const { length } of database.rows(page('length(entry) AS length'), ...values, time, id, limit)) {
          bytes += length as number;
          if (count > 0 && bytes > taskPageBytes) break;
          count++;
        }
        return database.all(page('entry'), ...values, time, id, count).map(({ entry }) => readEntry<LabelTask>(entry));
      }),
    countTasks: (filter) =>
      database.read(() => {
        const { wheres, values } = rangeOf({ ...filter, assignee: null, state: '', binaryDataId: '' });
        const sql = `SELECT assignee, state, count(*) AS count, max(id) AS id FROM label_tasks
          WHERE ${wheres.join(' AND ')} GROUP BY assignee, state`;
        const rows = database.all(sql, ...values);
        const counts = rows.map(({ state, count, id }) => ({
          assignee: taskOf(filter.organizationId, id as string)!.assignee,
          state: state as TaskState,
          count: count as number,
        }));
        return inOrder(counts);
      }),
    editTasks: (organizationId, ids, edit) =>
      database.write(() => {
        const found = ids.flatMap((id) => taskOf(organizationId, id) ?? []);
        const { changed, deleted, files, changes, left } = editedTasks(ids, there(organizationId, found), edit);
        for (const task of changed) tasks.replace(task, { id: task.id });
        for (const { id } of deleted) tasks.delete({ id });
        for (const { before, after } of files) captures.replace(before, after);
        results.forget(files.flatMap(({ before, after }) => [before, after]));
        keep(changes);
        return left;
      }),

    announce: (organizationId, binaryDataId, worker, length) =>
      database.write(() => {
        const now = clock.now();
        database.run('DELETE FROM label_presence WHERE until <= ?', now);
        const place = { organization_id: organizationId, binary_data_id: binaryDataId };
        presence.delete({ ...place, worker: actorKey(worker) });
        if (length > 0) presence.insert({ organizationId, binaryDataId, worker, until: now + length });
        return othersThan(worker, presence.list(place));
      }),
  };
}

/** The conditions of a filter, and the index that has its matches in order. Without statistics SQLite may take another. */
function rangeOf(filter: TaskFilter) {
  const { organizationId, locationId, partId, assignee, state, datasetId, binaryDataId } = filter;
  const given: Readonly<Record<string, string>> = {
    organization_id: organizationId,
    ...(assignee !== null && { assignee: actorKey(assignee) }),
    ...(state !== '' && { state }),
    ...(datasetId !== '' && { dataset_id: datasetId }),
    ...(binaryDataId !== '' && { binary_data_id: binaryDataId }),
    ...(locationId !== null && { location_id: locationId }),
    ...(partId !== null && { part_id: partId }),
  };
  return {
    index: `INDEXED BY ${taskIndexName(indexOf(filter))}`,
    wheres: Object.keys(given).map((column) => `${column} = ?`),
    values: Object.values(given),
  };
}

/** Which of these images an assignee has tasks of, within a transaction: the index has all of it. */
export const assignments = (
  database: SqliteDatabase,
  organizationId: string,
  assignee: Pick<Actor, 'kind' | 'id'>,
  binaryDataIds: readonly string[],
): readonly Assignment[] =>
  binaryDataIds.flatMap((binaryDataId) =>
    database
      .all(
        `SELECT id, is_blind FROM label_tasks INDEXED BY label_tasks_by_assignee_image
         WHERE organization_id = ? AND assignee = ? AND binary_data_id = ?`,
        organizationId,
        actorKey(assignee),
        binaryDataId,
      )
      .map(({ id, is_blind: isBlind }) => ({ id: id as string, binaryDataId, isBlind: isBlind === 1 })),
  );

/** The places of all tasks of an image, within a transaction: the indexes have all of it, so that no page with boxes is read. */
const placesOf = (database: SqliteDatabase, organizationId: string, binaryDataId: string): readonly TaskPlace[] =>
  database
    .all(
      `SELECT task.assignee, task.is_blind FROM label_tasks AS of_image INDEXED BY ${taskIndexName(['binary_data_id'])}
       JOIN label_tasks AS task INDEXED BY label_tasks_by_assignee_image
         ON task.organization_id = of_image.organization_id AND task.assignee = of_image.assignee
         AND task.binary_data_id = of_image.binary_data_id
       WHERE of_image.organization_id = ? AND of_image.binary_data_id = ?`,
      organizationId,
      binaryDataId,
    )
    .map(({ assignee, is_blind: isBlind }) => ({ binaryDataId, assignee: assignee as string, isBlind: isBlind === 1 }));

/** Tasks and comments go with their images, within the write that deletes these. */
export function forgetLabels(database: SqliteDatabase, images: readonly BinaryRecord[]): void {
  for (const { organizationId, id } of images) {
    for (const table of ['label_tasks', 'label_comments']) {
      database.run(`DELETE FROM ${table} WHERE organization_id = ? AND binary_data_id = ?`, organizationId, id);
    }
  }
}
