import type { DatabaseSync } from 'node:sqlite';
import { deserialize } from 'node:v8';
import type { LabelTask } from '../../../data-service/face/stores.ts';

/** Few: each may have thousands of boxes. */
const tasksAtOnce = 20;

/** Whether a task is blind stands beside it, in an index: who asks only that reads none of its boxes. */
export const addBlindColumn = `ALTER TABLE label_tasks ADD COLUMN is_blind INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX label_tasks_by_assignee_image ON label_tasks (organization_id, assignee, binary_data_id, is_blind, id);`;

/** Fills the column that `addBlindColumn` has added. */
export function markBlindTasks(database: DatabaseSync): void {
  const read = database.prepare('SELECT id, entry FROM label_tasks WHERE id > ? ORDER BY id LIMIT ?');
  const write = database.prepare('UPDATE label_tasks SET is_blind = 1 WHERE id = ?');
  for (let after = '', isMore = true; isMore;) {
    const rows = read.all(after, tasksAtOnce) as unknown as readonly { id: string; entry: Uint8Array }[];
    for (const { id, entry } of rows) if ((deserialize(entry) as LabelTask).isBlind) write.run(id);
    isMore = rows.length === tasksAtOnce;
    after = rows.at(-1)?.id ?? '';
  }
}
