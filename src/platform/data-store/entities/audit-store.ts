import {
  actorKey,
  type AuditFilter,
  type AuditRow,
  type AuditStore,
  mostActors,
} from '../../../data-service/face/accounts.ts';
import { clocksWereSet } from '../../../data-service/face/hosts.ts';
import { auditRows } from './entity-tables.ts';
import { callRows, pageOfRows, type CallRows } from '../call-rows.ts';
import { step, type Steps } from '../steps.ts';
import type { Author, Keep, TableStore, WriteTables } from '../tables.ts';

/** Adds rows for changes by one author, within the write that makes them. */
export function keepChanges(store: Pick<TableStore, 'newId'>, { actor, summing }: Author): Keep {
  if (actor === null) return () => step(() => undefined);
  const rowsOf = callRows(actor, summing, () => store.newId());
  return function* (tables, changes) {
    if (changes.length === 0) return;
    const now = yield* tables.now();
    const added: AuditRow[] = [];
    for (const [rows, own] of rowsOf(changes)) {
      const written = rows.write(own, yield* newestOf(tables, rows), now);
      added.push(...written.added);
      if (written.replaced !== null) yield* tables.replace(auditRows, written.replaced);
    }
    yield* tables.insertAll(auditRows, added);
  };
}

/** The row of a call with the highest id: its sum, or its only row; null: there is none. Nothing else writes them, so they are not locked. */
function* newestOf(tables: WriteTables, { organizationId, time, ids }: CallRows): Steps<AuditRow | null> {
  if (time === null) return null;
  const [from, upTo] = ids.map((id) => [id]) as [[string], [string]];
  const found = yield* tables.list(auditRows, {
    where: { organizationId, time },
    order: ['id'],
    descending: true,
    from,
    upTo,
    limit: 1,
  });
  return found[0] ?? null;
}

export function auditStore(store: TableStore): AuditStore {
  return {
    page(filter, after, limit) {
      const { organizationId, actor, what, objectId, interval } = filter;
      const where = {
        organizationId,
        ...(actor !== null && { actor: actorKey(actor) }),
        ...(what !== '' && { what }),
        ...(objectId !== '' && { objectId }),
      };
      const range = {
        where,
        index: indexOf(filter),
        order: ['time', 'id'],
        descending: true,
        from: [interval.start ?? -Infinity],
      } as const;
      return pageOfRows(filter.each, after, limit, (beyond, most) => {
        const before = beyond === null ? [interval.end ?? Infinity] : [beyond.time, beyond.id];
        return store.read([auditRows], (tables) => tables.list(auditRows, { ...range, before, limit: most }));
      });
    },
    async actors(organizationId) {
      const asked = { where: { organizationId }, by: 'actor', order: ['time', 'id'], limit: mostActors } as const;
      const rows = await store.read([auditRows], (tables) => tables.lastOfEach(auditRows, asked));
      return rows.map(({ actor }) => actor);
    },
    deleteBefore: (organizationId, time, limit) =>
      store.write([auditRows], (tables) =>
        tables.delete(auditRows, {
          where: { organizationId },
          order: ['time', 'id'],
          from: [clocksWereSet],
          before: [time],
          limit,
        }),
      ),
  };
}

/** The index by which a filter is met; of an object few rows are read that do not match. */
function indexOf({ actor, what, objectId }: AuditFilter): string {
  if (objectId !== '') return 'object_id';
  return [...(actor === null ? [] : ['actor']), ...(what === '' ? [] : ['what'])].join('_');
}
