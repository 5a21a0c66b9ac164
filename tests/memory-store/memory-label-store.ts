import { actorKey, type Actor } from '../../src/data-service/ports/audit-store.ts';
import type { Position } from '../../src/data-service/ports/capture-filter.ts';
import type { Clock } from '../../src/data-service/ports/clock.ts';
import { changesOf } from '../../src/data-service/ports/describe-changes.ts';
import {
  matchesTask,
  positionOfCreated,
  type Assignment,
  type LabelStore,
  type LabelTask,
  type TaskCount,
} from '../../src/data-service/ports/label-store.ts';
import type { BinaryRecord } from '../../src/data-service/ports/stored-captures.ts';
import { comparePositions } from '../../src/platform/data-store/capture-ranges.ts';
import type { CommentStore } from '../../src/platform/data-store/entities/comment-store.ts';
import { labelComments } from '../../src/platform/data-store/entities/entity-tables.ts';
import { runNow } from '../../src/platform/data-store/steps.ts';
import type { SchemeStore } from '../../src/platform/data-store/entities/scheme-store.ts';
import { editedTasks, placeOfTask, tasksToAdd } from '../../src/platform/data-store/edited-tasks.ts';
import { assignmentOf, inOrder, othersThan, withinPageBytes } from '../../src/platform/data-store/label-rules.ts';
import type { KeepChanges, Tables } from './tables.ts';

export function memoryLabelStore(
  tables: Tables,
  clock: Clock,
  keep: KeepChanges,
): Omit<LabelStore, keyof SchemeStore | keyof CommentStore> {
  const tasksOf = (organizationId: string): LabelTask[] => tasksIn(tables, organizationId);
  /** The images of tasks, with all tasks of these images. */
  const there = (organizationId: string, tasks: readonly LabelTask[]) => {
    const ids = new Set(tasks.map(({ binaryDataId }) => binaryDataId));
    return {
      images: [...ids].flatMap((id) => imageOf(organizationId, id) ?? []),
      tasks: tasksOf(organizationId).filter(({ binaryDataId }) => ids.has(binaryDataId)),
    };
  };
  const imageOf = (organizationId: string, id: string): BinaryRecord | null => {
    const image = tables.binary.get(id);
    return image?.organizationId === organizationId ? image : null;
  };
  return {
    async addTasks(tasks) {
      if (tasks.length === 0) return [];
      const known = there(tasks[0]!.organizationId, tasks);
      const added = tasksToAdd(tasks, known.images, known.tasks.map(placeOfTask));
      for (const task of added) tables.labelTasks.set(task.id, task);
      keep(added.flatMap((task) => changesOf('task', null, task)));
      return added;
    },
    async getTasks(organizationId, ids) {
      const byId = new Map(tasksOf(organizationId).map((task) => [task.id, task]));
      return ids.map((id) => byId.get(id) ?? null);
    },
    async assignments(organizationId, assignee, binaryDataIds) {
      return assignments(tables, organizationId, assignee, binaryDataIds);
    },
    async listTasks(filter, after, limit) {
      const found = [...tables.labelTasks.values()].filter((task) => matchesTask(filter, task));
      return withinPageBytes(pageOf(found, after, limit));
    },
    async countTasks(filter) {
      const counted = new Map<string, TaskCount>();
      for (const task of tables.labelTasks.values()) {
        if (!matchesTask({ ...filter, assignee: null, state: '', binaryDataId: '' }, task)) continue;
        const key = `${actorKey(task.assignee)} ${task.state}`;
        const { assignee, state } = task;
        counted.set(key, { assignee, state, count: (counted.get(key)?.count ?? 0) + 1 });
      }
      return inOrder([...counted.values()]);
    },
    async editTasks(organizationId, ids, edit) {
      const found = tasksOf(organizationId).filter(({ id }) => ids.includes(id));
      const { changed, deleted, files, changes, left } = editedTasks(ids, there(organizationId, found), edit);
      for (const task of changed) tables.labelTasks.set(task.id, task);
      for (const { id } of deleted) tables.labelTasks.delete(id);
      for (const { after } of files) tables.binary.set(after.id, after);
      keep(changes);
      return left;
    },

    async announce(organizationId, binaryDataId, worker, length) {
      const now = clock.now();
      for (const [key, { until }] of tables.presence) if (until <= now) tables.presence.delete(key);
      const own = `${organizationId} ${binaryDataId} ${actorKey(worker)}`;
      tables.presence.delete(own);
      if (length > 0) tables.presence.set(own, { organizationId, binaryDataId, worker, until: now + length });
      const present = [...tables.presence.values()].filter(
        (one) => one.organizationId === organizationId && one.binaryDataId === binaryDataId,
      );
      return othersThan(worker, present);
    },
  };
}

function pageOf<Entry extends LabelTask>(entries: readonly Entry[], after: Position | null, limit: number): Entry[] {
  return entries
    .filter((entry) => after === null || comparePositions(positionOfCreated(entry), after) > 0)
    .sort((a, b) => comparePositions(positionOfCreated(a), positionOfCreated(b)))
    .slice(0, limit);
}

const tasksIn = (tables: Tables, organizationId: string): LabelTask[] =>
  [...tables.labelTasks.values()].filter((task) => task.organizationId === organizationId);

export const assignments = (
  tables: Tables,
  organizationId: string,
  assignee: Pick<Actor, 'kind' | 'id'>,
  binaryDataIds: readonly string[],
): readonly Assignment[] =>
  tasksIn(tables, organizationId)
    .filter((task) => actorKey(task.assignee) === actorKey(assignee) && binaryDataIds.includes(task.binaryDataId))
    .map(assignmentOf);

/** Tasks and comments go with their images. */
export function forgetLabels(tables: Tables, images: readonly BinaryRecord[]): void {
  const ids = new Set(images.map(({ id }) => id));
  for (const [id, { binaryDataId }] of tables.labelTasks) if (ids.has(binaryDataId)) tables.labelTasks.delete(id);
  runNow(tables.rows.delete(labelComments, { where: { binaryDataId: [...ids] } }));
}
