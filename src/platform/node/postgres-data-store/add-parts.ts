import { deserialize, serialize } from 'node:v8';
import { parseStreamKey } from '../../data-store/capture-stream.ts';
import type { Statements } from './postgres-database.ts';
import { textKey } from './text-key.ts';

const tasksAtOnce = 1000;

interface TaskRow {
  readonly organization_id: string;
  readonly id: string;
  readonly entry: Uint8Array;
  /** key of the stream of the image */
  readonly key: string | null;
}

/**
 * Gives entries of a version without parts their part: keys, members and invitations are of all parts of their place, and a task is of the
 * part that captured its image.
 */
export async function addParts(statements: Statements): Promise<void> {
  for (const table of ['keys', 'members', 'invitations']) {
    for (const { id, entry } of await statements.rows(`SELECT id, entry FROM ${table}`)) {
      const changed = serialize({ ...(deserialize(entry as Uint8Array) as object), partId: null });
      await statements.run(`UPDATE ${table} SET entry = $1 WHERE id = $2`, changed, id as string);
    }
  }
  for (let [organization, after] = ['', ''], isMore = true; isMore;) {
    const rows = (await statements.rows(
      `SELECT task.organization_id, task.id, task.entry, streams.key FROM label_tasks AS task
       LEFT JOIN binary_captures AS image ON image.organization_id = task.organization_id AND image.id = task.binary_data_id
       LEFT JOIN streams ON streams.organization_id = image.organization_id AND streams.id = image.stream
         AND streams.collection = 'binary_captures'
       WHERE (task.organization_id, task.id) > ($1, $2) ORDER BY task.organization_id, task.id LIMIT $3`,
      organization,
      after,
      tasksAtOnce,
    )) as unknown as readonly TaskRow[];
    for (const row of rows) {
      const partId = row.key === null ? '' : parseStreamKey(row.key).partId;
      await statements.run(
        'UPDATE label_tasks SET part_id = $1, entry = $2 WHERE organization_id = $3 AND id = $4',
        textKey(partId),
        serialize({ ...(deserialize(row.entry) as object), partId }),
        row.organization_id,
        row.id,
      );
    }
    isMore = rows.length === tasksAtOnce;
    [organization, after] = [rows.at(-1)?.organization_id ?? '', rows.at(-1)?.id ?? ''];
  }
}
