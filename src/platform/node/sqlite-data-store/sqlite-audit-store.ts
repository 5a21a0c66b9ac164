import { randomBytes } from 'node:crypto';
import {
  actorKey,
  mostActors,
  type Actor,
  type AuditFilter,
  type AuditRow,
  type AuditStore,
  type Change,
} from '../../../data-service/ports/audit-store.ts';
import { clocksWereSet, type Clock } from '../../../data-service/ports/clock.ts';
import { callRows, pageOfRows, type Summing } from '../../data-store/call-rows.ts';
import { EntryTable, readEntry } from './entry-table.ts';
import type { SqliteDatabase } from './sqlite-database.ts';

/** Adds rows for changes by one actor, within the write that makes them. */
export type KeepChanges = (changes: readonly Change[]) => void;

export const auditTable = (database: SqliteDatabase): EntryTable<AuditRow> =>
  new EntryTable(database, 'audit_rows', ({ organizationId, time, id, actor, what, objectId }) => ({
    organization_id: organizationId,
    time,
    id,
    actor: actorKey(actor),
    what,
    object_id: objectId,
  }));

/** @param actor null: no rows */
export function keepChanges(
  database: SqliteDatabase,
  clock: Clock,
  actor: Actor | null,
  summing: Summing,
): KeepChanges {
  if (actor === null) return () => undefined;
  const table = auditTable(database);
  const rowsOf = callRows(actor, summing, () => randomBytes(9).toString('base64url'));
  return (changes) => {
    for (const [rows, own] of rowsOf(changes)) {
      const { organizationId, time } = rows;
      const rest = 'AND time = ? AND id BETWEEN ? AND ? ORDER BY id DESC LIMIT 1';
      const [newest = null] =
        time === null ? [] : table.list({ organization_id: organizationId }, rest, time, ...rows.ids);
      const { added, replaced } = rows.write(own, newest, clock.now());
      for (const row of added) table.insert(row);
      if (replaced !== null)
        table.replace(replaced, { organization_id: organizationId, time: replaced.time, id: replaced.id });
    }
  };
}

export function sqliteAuditStore(database: SqliteDatabase): AuditStore {
  return {
    page(filter, after, limit) {
      const { index, wheres, values } = rangeOf(filter);
      const sql = `SELECT entry FROM audit_rows ${index} WHERE ${wheres.join(' AND ')}
        AND (time, id) < (?, ?) AND time >= ? ORDER BY time DESC, id DESC LIMIT ?`;
      const { start, end } = filter.interval;
      return pageOfRows(filter, after, limit, (beyond, most) =>
        database.read(() =>
          database
            .all(sql, ...values, beyond?.time ?? end ?? Infinity, beyond?.id ?? '', start ?? -Infinity, most)
            .map(({ entry }) => readEntry<AuditRow>(entry)),
        ),
      );
    },
    actors: (organizationId) =>
      database.read(() =>
        // from each actor to the next in the index, whatever number of rows they have
        database
          .all(
            `WITH RECURSIVE found (actor) AS (
               SELECT min(actor) FROM audit_rows WHERE organization_id = ?1
               UNION ALL
               SELECT (SELECT min(actor) FROM audit_rows WHERE organization_id = ?1 AND actor > found.actor)
               FROM found WHERE found.actor IS NOT NULL
             )
             SELECT (
               SELECT entry FROM audit_rows WHERE organization_id = ?1 AND actor = found.actor ORDER BY time DESC, id DESC LIMIT 1
             ) AS entry
             FROM found WHERE found.actor IS NOT NULL LIMIT ?2`,
            organizationId,
            mostActors,
          )
          .map(({ entry }) => readEntry<AuditRow>(entry).actor),
      ),
    deleteBefore: (organizationId, time, limit) =>
      database.write(
        () =>
          database.run(
            `DELETE FROM audit_rows WHERE organization_id = ?1 AND (time, id) IN (
               SELECT time, id FROM audit_rows WHERE organization_id = ?1 AND time >= ?4 AND time < ?2 ORDER BY time, id LIMIT ?3
             )`,
            organizationId,
            time,
            limit,
            clocksWereSet,
          ).changes,
      ),
  };
}

/** The conditions of a filter without its interval, and the index by which they are met. Without statistics SQLite may take another. */
function rangeOf({ organizationId, actor, what, objectId }: AuditFilter) {
  const given: Readonly<Record<string, string>> = {
    ...(actor !== null && { actor: actorKey(actor) }),
    ...(what !== '' && { what }),
    ...(objectId !== '' && { object_id: objectId }),
  };
  const columns = Object.keys(given);
  const indexed = objectId === '' ? columns : ['object_id'];
  return {
    index: indexed.length === 0 ? 'NOT INDEXED' : `INDEXED BY audit_rows_by_${indexed.join('_')}`,
    wheres: ['organization_id', ...columns].map((column) => `${column} = ?`),
    values: [organizationId, ...Object.values(given)],
  };
}
