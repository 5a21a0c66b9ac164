import { deserialize } from 'node:v8';
import type { LabelTask } from '../../../data-service/face/stores.ts';
import type { Statements } from './postgres-database.ts';

/** Few: each may have thousands of boxes. */
const tasksAtOnce = 20;

/** Whether a task is blind stands beside it, in an index: who asks only that reads none of its boxes. */
export const addBlindColumn = `ALTER TABLE label_tasks ADD COLUMN is_blind smallint NOT NULL DEFAULT 0;
  CREATE INDEX label_tasks_by_assignee_image ON label_tasks (organization_id, assignee, binary_data_id, is_blind, id)`;

/** Fills the column that `addBlindColumn` has added. */
export async function markBlindTasks(statements: Statements): Promise<void> {
  for (let [organization, after] = ['', ''], isMore = true; isMore;) {
    const rows = (await statements.rows(
      `SELECT organization_id, id, entry FROM label_tasks WHERE (organization_id, id) > ($1, $2)
       ORDER BY organization_id, id LIMIT $3`,
      organization,
      after,
      tasksAtOnce,
    )) as unknown as readonly { organization_id: string; id: string; entry: Uint8Array }[];
    for (const { organization_id: organizationId, id, entry } of rows) {
      if (!(deserialize(entry) as LabelTask).isBlind) continue;
      const sql = 'UPDATE label_tasks SET is_blind = 1 WHERE organization_id = $1 AND id = $2';
      await statements.run(sql, organizationId, id);
    }
    isMore = rows.length === tasksAtOnce;
    [organization, after] = [rows.at(-1)?.organization_id ?? '', rows.at(-1)?.id ?? ''];
  }
}
