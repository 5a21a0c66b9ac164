import {
  mostActors,
  type Actor,
  type AuditFilter,
  type AuditRow,
  type AuditStore,
  type Change,
} from '../../../../data-service/ports/audit-store.ts';
import { clocksWereSet, type Clock } from '../../../../data-service/ports/clock.ts';
import type { Position } from '../../../../data-service/ports/capture-filter.ts';
import { callRows, pageOfRows, type CallRows, type Summing } from '../../../data-store/call-rows.ts';
import { randomId } from '../../bytes/random-id.ts';
import type { IdbDatabase } from './idb-database.ts';
import { readRange, type RangeSource } from './read-range.ts';
import type { ReadTransaction, WriteTransaction } from './schema.ts';

/** Adds rows for changes by one actor, within the write that makes them, which holds `auditRows`. */
export type KeepChanges = (transaction: WriteTransaction, changes: readonly Change[]) => Promise<void>;

/** @param actor null: no rows */
export function keepChanges(clock: Clock, actor: Actor | null, summing: Summing): KeepChanges {
  if (actor === null) return async () => undefined;
  const rowsOf = callRows(actor, summing, randomId);
  return async (transaction, changes) => {
    if (changes.length === 0) return;
    const store = transaction.objectStore('auditRows');
    for (const [rows, own] of rowsOf(changes)) {
      const { added, replaced } = rows.write(own, await newestOf(store as RangeSource<AuditRow>, rows), clock.now());
      await Promise.all([...added.map((row) => store.add(row)), replaced && store.put(replaced)]);
    }
  };
}

/** The row of a call with the highest id: its sum, or its only row; null: there is none. */
async function newestOf(
  store: RangeSource<AuditRow>,
  { organizationId, time, ids }: CallRows,
): Promise<AuditRow | null> {
  if (time === null) return null;
  const [lower, upper] = ids.map((id) => [organizationId, time, id]);
  return (await readRange(store, IDBKeyRange.bound(lower, upper), 'descending', 1))[0] ?? null;
}

export function idbAuditStore(database: IdbDatabase): AuditStore {
  return {
    page: (filter, after, limit) =>
      database.read(['auditRows'], async (transaction) => {
        const { source, key, isExact } = rangeOf(transaction, filter);
        const { start, end } = filter.interval;
        const first = [...key, start ?? -Infinity];
        const read = async (beyond: Position | null, most: number): Promise<readonly AuditRow[]> => {
          const last = [...key, ...(beyond === null ? [end ?? Infinity] : [beyond.time, beyond.id])];
          if (indexedDB.cmp(first, last) >= 0) return [];
          return readRange(source, IDBKeyRange.bound(first, last, false, true), 'descending', most);
        };
        return pageOfRows(filter, after, limit, read, (row) => isExact || matches(filter, row));
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
