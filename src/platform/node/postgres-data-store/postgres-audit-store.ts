import { randomBytes } from 'node:crypto';
import {
  actorKey,
  mostActors,
  type Actor,
  type AuditRow,
  type AuditStore,
  type Change,
} from '../../../data-service/ports/audit-store.ts';
import { clocksWereSet } from '../../../data-service/ports/clock.ts';
import type { Micros } from '../../../data-service/ports/stored-captures.ts';
import { callRows, pageOfRows, type CallRows, type Summing } from '../../data-store/call-rows.ts';
import { EntryTable, readEntry } from './entry-table.ts';
import type { PostgresDatabase, Statements } from './postgres-database.ts';
import { textKey } from './text-key.ts';

/** Adds rows for changes by one actor, within the write that makes them. */
export type KeepChanges = (statements: Statements, changes: readonly Change[]) => Promise<void>;

export const auditTable = new EntryTable<AuditRow>('audit_rows', {
  key: ({ organizationId, time, id }) => ({ organization_id: textKey(organizationId), time, id }),
  others: ({ actor, what, objectId }) => ({ actor: textKey(actorKey(actor)), what, object_id: textKey(objectId) }),
});

/** @param actor null: no rows */
export function keepChanges(actor: Actor | null, summing: Summing): KeepChanges {
  if (actor === null) return async () => undefined;
  const rowsOf = callRows(actor, summing, () => randomBytes(9).toString('base64url'));
  return async (statements, changes) => {
    if (changes.length === 0) return;
    const time = (await statements.row('SELECT store_time() AS time'))!['time'] as Micros;
    const added: AuditRow[] = [];
    for (const [rows, own] of rowsOf(changes)) {
      const written = rows.write(own, await newestOf(statements, rows), time);
      added.push(...written.added);
      if (written.replaced !== null) await auditTable.replace(statements, written.replaced);
    }
    if (added.length === 1) await auditTable.insert(statements, added[0]!);
    if (added.length < 2) return;
    const columns = added.map(auditTable.columnsOf);
    const values = columns.map(Object.values<string | number | Uint8Array>);
    await statements.copy('audit_rows', Object.keys(columns[0]!), values);
  };
}

/** The row of a call with the highest id: its sum, or its only row; null: there is none. Nothing else writes them, so they are not locked. */
async function newestOf(statements: Statements, { organizationId, time, ids }: CallRows): Promise<AuditRow | null> {
  if (time === null) return null;
  const rest = 'AND time = $1 AND id BETWEEN $2 AND $3 ORDER BY id DESC LIMIT 1';
  const where = { organization_id: textKey(organizationId) };
  return (await auditTable.list(statements, where, rest, time, ...ids))[0] ?? null;
}

export function postgresAuditStore(database: PostgresDatabase): AuditStore {
  return {
    page(filter, after, limit) {
      const { organizationId, actor, what, objectId, interval } = filter;
      const given = {
        organization_id: textKey(organizationId),
        ...(actor !== null && { actor: textKey(actorKey(actor)) }),
        ...(what !== '' && { what }),
        ...(objectId !== '' && { object_id: textKey(objectId) }),
      };
      const rest = 'AND (time, id) < ($1, $2) AND time >= $3 ORDER BY time DESC, id DESC LIMIT $4';
      return pageOfRows(filter, after, limit, (beyond, most) => {
        const { time, id } = beyond ?? { time: interval.end ?? Infinity, id: '' };
        return auditTable.list(database, given, rest, time, id, interval.start ?? -Infinity, most);
      });
    },
    async actors(organizationId) {
      // from each actor to the next in the index, whatever number of rows they have
      const rows = await database.rows(
        `WITH RECURSIVE found (actor) AS (
           SELECT min(actor) FROM audit_rows WHERE organization_id = $1
           UNION ALL
           SELECT (SELECT min(actor) FROM audit_rows WHERE organization_id = $1 AND actor > found.actor)
           FROM found WHERE found.actor IS NOT NULL
         )
         SELECT (
           SELECT entry FROM audit_rows WHERE organization_id = $1 AND actor = found.actor ORDER BY time DESC, id DESC LIMIT 1
         ) AS entry
         FROM found WHERE found.actor IS NOT NULL LIMIT $2`,
        textKey(organizationId),
        mostActors,
      );
      return rows.map(({ entry }) => readEntry<AuditRow>(entry).actor);
    },
    deleteBefore: (organizationId, time, limit) =>
      database.write((statements) =>
        statements.run(
          `DELETE FROM audit_rows WHERE organization_id = $1 AND (time, id) IN (
             SELECT time, id FROM audit_rows WHERE organization_id = $1 AND time >= $4 AND time < $2 ORDER BY time, id LIMIT $3
           )`,
          textKey(organizationId),
          time,
          limit,
          clocksWereSet,
        ),
      ),
  };
}
