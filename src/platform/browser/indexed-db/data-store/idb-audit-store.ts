import {
  mostActors,
  type Actor,
  type AuditFilter,
  type AuditRow,
  type AuditStore,
  type Change,
} from '../../../../data-service/ports/audit-store.ts';
import { clocksWereSet, type Clock } from '../../../../data-service/ports/clock.ts';
import { randomId } from '../../bytes/random-id.ts';
import type { IdbDatabase } from './idb-database.ts';
import { readRange, type RangeSource } from './read-range.ts';
import type { ReadTransaction, WriteTransaction } from './schema.ts';

/** Adds rows for changes by one actor, within the write that makes them, which holds `auditRows`. */
export type KeepChanges = (transaction: WriteTransaction, changes: readonly Change[]) => Promise<void>;

/** @param actor null: no rows */
export function keepChanges(clock: Clock, actor: Actor | null): KeepChanges {
  return async (transaction, changes) => {
    if (actor === null) return;
    const rows = transaction.objectStore('auditRows');
    const time = clock.now();
    await Promise.all(changes.map((change) => rows.add({ ...change, id: randomId(), time, actor })));
  };
}

export function idbAuditStore(database: IdbDatabase): AuditStore {
  return {
    page: (filter, after, limit) =>
      database.read(['auditRows'], async (transaction) => {
        const { source, key, isExact } = rangeOf(transaction, filter);
        const { start, end } = filter.interval;
        const last = after === null ? [end ?? Infinity] : [after.time, after.id];
        const first = [...key, start ?? -Infinity];
        const found: AuditRow[] = [];
        for (let beyond = [...key, ...last]; found.length < limit;) {
          if (indexedDB.cmp(first, beyond) >= 0) break;
          const rows = await readRange(source, IDBKeyRange.bound(first, beyond, false, true), 'descending', limit);
          found.push(...(isExact ? rows : rows.filter((row) => matches(filter, row))));
          if (rows.length < limit) break;
          const { time, id } = rows.at(-1)!;
          beyond = [...key, time, id];
        }
        return found.slice(0, limit);
      }),
    actors: (organizationId) =>
      database.read(['auditRows'], async (transaction) => {
        const byActor = transaction.objectStore('auditRows').index('actor');
        const all = IDBKeyRange.bound([organizationId], [organizationId, []]);
        const actors: Actor[] = [];
        // from each actor to the next, whatever number of rows they have
        for (let range: IDBKeyRange | null = all; range !== null && actors.length < mostActors;) {
          const next: AuditRow | undefined = await byActor.get(range);
          if (next === undefined) break;
          const { kind, id } = next.actor;
          const own = IDBKeyRange.bound([organizationId, kind, id], [organizationId, kind, id, []]);
          const [newest] = await readRange(byActor as RangeSource<AuditRow>, own, 'descending', 1);
          actors.push(newest!.actor);
          range = IDBKeyRange.bound([organizationId, kind, id, []], [organizationId, []]);
        }
        return actors;
      }),
    deleteBefore: (organizationId, time, limit) =>
      database.write(['auditRows'], async (transaction) => {
        const rows = transaction.objectStore('auditRows');
        if (time <= clocksWereSet) return 0;
        const old = IDBKeyRange.bound([organizationId, clocksWereSet], [organizationId, time], false, true);
        const keys = await rows.getAllKeys(old, limit);
        await Promise.all(keys.map((key) => rows.delete(key)));
        return keys.length;
      }),
  };
}

/** The index that has the rows of a filter as a range, and how their keys begin. Not exact: only some rows of the range match. */
function rangeOf(transaction: ReadTransaction, { organizationId, actor, what, objectId }: AuditFilter) {
  const rows = transaction.objectStore('auditRows');
  const who = actor === null ? [] : [actor.kind, actor.id];
  const of = (source: unknown, key: readonly string[], isExact = true) => ({
    source: source as RangeSource<AuditRow>,
    key: [organizationId, ...key],
    isExact,
  });
  if (objectId !== '') return of(rows.index('object'), [objectId], actor === null && what === '');
  if (actor !== null && what !== '') return of(rows.index('actorWhat'), [...who, what]);
  if (actor !== null) return of(rows.index('actor'), who);
  return what === '' ? of(rows, []) : of(rows.index('what'), [what]);
}

const matches = ({ actor, what }: AuditFilter, row: AuditRow): boolean =>
  (actor === null || (actor.kind === row.actor.kind && actor.id === row.actor.id)) &&
  (what === '' || what === row.what);
