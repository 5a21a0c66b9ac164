import type { DatabaseSync } from 'node:sqlite';
import { deserialize, serialize } from 'node:v8';
import { parseStreamKey } from '../../data-store/capture-stream.ts';

const tasksAtOnce = 1000;

/**
 * Gives entries of a version without parts their part: keys, members and invitations are of all parts of their place, and a task is of the
 * part that captured its image.
 */
export function addParts(database: DatabaseSync): void {
  for (const table of ['keys', 'members', 'invitations']) {
    const write = database.prepare(`UPDATE ${table} SET entry = ? WHERE id = ?`);
    for (const { id, entry } of database.prepare(`SELECT id, entry FROM ${table}`).all())
      write.run(serialize({ ...(deserialize(entry as Uint8Array) as object), partId: null }), id!);
  }
  const read = database.prepare(`
    SELECT task.id, task.entry, streams.key FROM label_tasks AS task
    LEFT JOIN binary_captures ON binary_captures.id = task.binary_data_id LEFT JOIN streams ON streams.id = binary_captures.stream
    WHERE task.id > ? ORDER BY task.id LIMIT ?`);
  const write = database.prepare('UPDATE label_tasks SET part_id = ?, entry = ? WHERE id = ?');
  for (let after = '', isMore = true; isMore;) {
    const rows = read.all(after, tasksAtOnce) as unknown as readonly {
      id: string;
      entry: Uint8Array;
      key: string | null;
    }[];
    for (const { id, entry, key } of rows) {
      const partId = key === null ? '' : parseStreamKey(key).partId;
      write.run(partId, serialize({ ...(deserialize(entry) as object), partId }), id);
    }
    isMore = rows.length === tasksAtOnce;
    after = rows.at(-1)?.id ?? '';
  }
}
