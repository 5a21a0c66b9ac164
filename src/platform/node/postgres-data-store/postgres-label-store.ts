import { actorKey } from '../../../data-service/face/accounts.ts';
import {
  changesOf,
  type LabelStore,
  type LabelTask,
  type TaskFilter,
  taskPageBytes,
  type TaskState,
} from '../../../data-service/face/stores.ts';
import type { BinaryRecord, Micros } from '../../../data-service/face/captures.ts';
import type { CommentStore } from '../../data-store/entities/comment-store.ts';
import type { SchemeStore } from '../../data-store/entities/scheme-store.ts';
import { editedTasks, tasksToAdd, type TaskPlace } from '../../data-store/edited-tasks.ts';
import { inOrder, othersThan } from '../../data-store/label-rules.ts';
import { conditions, readEntry } from './entry-table.ts';
import type { KeepChanges } from './postgres-tables.ts';
import type { BinaryCaptures } from './postgres-binary-captures.ts';
import type { PostgresDatabase, Statements } from './postgres-database.ts';
import { findFiles, replaceFiles } from './postgres-files.ts';
import { imagePlaceOf, presenceTable as presence, taskTable as tasks, assignments } from './postgres-label-tables.ts';
import type { PostgresResults } from './postgres-result-store.ts';
import { textKey } from './text-key.ts';

/**
 * Written in SQL, not over `Tables`: a page is as long as its tasks' bytes allow, which are known without reading a task, and tasks are
 * counted by assignee and state, also those of one part, without reading them.
 */
export function postgresLabelStore(
  database: PostgresDatabase,
  captures: BinaryCaptures,
  results: PostgresResults,
  keep: KeepChanges,
): Omit<LabelStore, keyof SchemeStore | keyof CommentStore> {
  /** Locks the images of tasks against edits, deletion and other tasks of them. */
  async function lockImages(statements: Statements, organizationId: string, of: readonly LabelTask[]) {
    const ids = [...new Set(of.map(({ binaryDataId }) => binaryDataId))];
    const files = await findFiles(statements, captures, organizationId, ids, 'FOR UPDATE');
    const images = [...files.values()].map(({ capture }) => capture);
    return { files, images };
  }
  /** The same, with all tasks of these images. */
  async function lockTasks(statements: Statements, organizationId: string, of: readonly LabelTask[]) {
    const { files, images } = await lockImages(statements, organizationId, of);
    const ofImages = { organization_id: organizationId, binary_data_id: images.map(({ id }) => textKey(id)) };
    return { files, images, tasks: await tasks.list(statements, ofImages) };
  }
  const tasksOf = (statements: Pick<Statements, 'rows'>, organizationId: string, ids: readonly string[]) =>
    tasks.list(statements, { organization_id: organizationId, id: ids.map(textKey) });

  return {
    addTasks: (wanted) =>
      database.write(async (statements) => {
        if (wanted.length === 0) return [];
        const [{ organizationId }] = wanted as [LabelTask];
        const { images } = await lockImages(statements, organizationId, wanted);
        const added = tasksToAdd(wanted, images, await placesOf(statements, organizationId, images, wanted));
        if (added.length === 0) return [];
        const rows = added.map(tasks.columnsOf);
        await statements.copy(tasks.name, Object.keys(rows[0]!), rows.map(Object.values<string | number | Uint8Array>));
        await keep(
          statements,
          added.flatMap((task) => changesOf('task', null, task)),
        );
        return added;
      }),
    async getTasks(organizationId, ids) {
      const byId = new Map((await tasksOf(database, organizationId, ids)).map((task) => [task.id, task]));
      return ids.map((id) => byId.get(id) ?? null);
    },
    assignments: (organizationId, assignee, binaryDataIds) =>
      assignments(database, organizationId, assignee, binaryDataIds),
    async listTasks(filter, after, limit) {
      const where = columnsOf(filter);
      const rows = await database.rows(
        `SELECT entry FROM (
           SELECT entry, sum(octet_length(entry)) OVER oldest AS bytes, row_number() OVER oldest AS number FROM (
             SELECT entry, time_created, id FROM label_tasks WHERE ${conditions(where, 4)}
             AND (time_created, id) > ($1, $2) ORDER BY time_created, id LIMIT $3
           ) AS page WINDOW oldest AS (ORDER BY time_created, id)
         ) AS sized WHERE bytes <= $4 OR number = 1 ORDER BY number`,
        after?.time ?? -Infinity,
        textKey(after?.id ?? ''),
        limit,
        taskPageBytes,
        ...Object.values(where),
      );
      return rows.map(({ entry }) => readEntry<LabelTask>(entry));
    },
    async countTasks(filter) {
      const where = columnsOf({ ...filter, assignee: null, state: '', binaryDataId: '' });
      const rows = await database.rows(
        `SELECT state, count(*)::integer AS count, max(id) AS id FROM label_tasks
         WHERE ${conditions(where)} GROUP BY assignee, state`,
        ...Object.values(where),
      );
      const found = await tasksOf(
        database,
        filter.organizationId,
        rows.map(({ id }) => id as string),
      );
      const assigneeOf = new Map(found.map(({ id, assignee }) => [id, assignee]));
      return inOrder(
        rows.flatMap(({ state, count, id }) => {
          const assignee = assigneeOf.get(id as string); // not there: deleted meanwhile
          return assignee === undefined ? [] : [{ assignee, state: state as TaskState, count: count as number }];
        }),
      );
    },
    editTasks: (organizationId, ids, edit) =>
      database.write(async (statements) => {
        const wanted = await tasksOf(statements, organizationId, ids);
        const there = await lockTasks(statements, organizationId, wanted);
        const { changed, deleted, files, changes, left } = editedTasks(ids, there, edit);
        for (const task of changed) await tasks.replace(statements, task);
        if (deleted.length > 0) {
          const gone = { organization_id: organizationId, id: deleted.map(({ id }) => textKey(id)) };
          await tasks.delete(statements, gone);
        }
        await replaceFiles(statements, captures, results, there.files, files);
        await keep(statements, changes);
        return left;
      }),

    announce: (organizationId, binaryDataId, worker, length) =>
      database.write(async (statements) => {
        const now = (await statements.row('SELECT store_time() AS time'))!['time'] as Micros;
        await statements.run(
          `DELETE FROM label_presence WHERE organization_id = $1 AND (binary_data_id, worker) IN (
             SELECT binary_data_id, worker FROM label_presence WHERE organization_id = $1 AND until <= $2 FOR UPDATE SKIP LOCKED
           )`,
          organizationId,
          now,
        );
        const image = imagePlaceOf(organizationId, binaryDataId);
        await presence.delete(statements, { ...image, worker: textKey(actorKey(worker)) });
        if (length > 0)
          await presence.insert(statements, { organizationId, binaryDataId, worker, until: now + length });
        const present = await presence.list(statements, image);
        return othersThan(
          worker,
          present.filter(({ until }) => until > now),
        );
      }),
  };
}

/** The columns that a filter asks for, and what they must be. */
const columnsOf = ({ organizationId, locationId, partId, assignee, state, datasetId, binaryDataId }: TaskFilter) => ({
  organization_id: organizationId,
  ...(assignee !== null && { assignee: textKey(actorKey(assignee)) }),
  ...(state !== '' && { state }),
  ...(datasetId !== '' && { dataset_id: textKey(datasetId) }),
  ...(binaryDataId !== '' && { binary_data_id: textKey(binaryDataId) }),
  ...(locationId !== null && { location_id: textKey(locationId) }),
  ...(partId !== null && { part_id: textKey(partId) }),
});

/** The places of all tasks of images, without the boxes of any. Assignees other than those of `wanted` are told apart, and nothing else. */
async function placesOf(
  statements: Statements,
  organizationId: string,
  images: readonly BinaryRecord[],
  wanted: readonly LabelTask[],
): Promise<readonly TaskPlace[]> {
  const imageOf = new Map(images.map(({ id }) => [textKey(id), id]));
  const assigneeOf = new Map(wanted.map(({ assignee }) => [textKey(actorKey(assignee)), actorKey(assignee)]));
  const rows = await statements.rows(
    'SELECT binary_data_id, assignee, is_blind FROM label_tasks WHERE organization_id = $1 AND binary_data_id = ANY ($2::text[])',
    organizationId,
    [...imageOf.keys()],
  );
  return rows.map((row) => ({
    binaryDataId: imageOf.get(row['binary_data_id'] as string)!,
    assignee: assigneeOf.get(row['assignee'] as string) ?? (row['assignee'] as string),
    isBlind: row['is_blind'] === 1,
  }));
}
