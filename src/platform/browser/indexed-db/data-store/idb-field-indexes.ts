import {
  byText,
  type FieldHint,
  positionOf,
  type Scan,
  type TabularFilter,
  type TabularRow,
} from '../../../../data-service/face/captures.ts';
import {
  alreadyExists,
  changesOf,
  type IndexedCollection,
  type IndexStore,
  notFound,
  type StoredIndex,
} from '../../../../data-service/face/stores.ts';
import { boundsBeyond, comparePositions } from '../../../data-store/capture-ranges.ts';
import { collectionKey, indexedPath, usableHints, valuesAt } from '../../../data-store/field-values.ts';
import type { KeepChanges } from './idb-tables.ts';
import type { IdbCaptures } from './idb-captures.ts';
import type { IdbDatabase } from './idb-database.ts';
import type { FieldKey, ReadTransaction, StoredCapture, WriteTransaction } from './schema.ts';
import { storedValue, valueRange } from './value-range.ts';

/** Rows of an index that are sorted for one page; where more could match, reading in order of time is cheaper. */
const sortedAtOnce = 5000;
const builtAtOnce = 500;

/** Indexes that clients ask for, on fields of the readings: kept by every insert, and used by `pageByHints`. */
export class IdbFieldIndexes {
  readonly #database: IdbDatabase;
  readonly #captures: IdbCaptures<TabularRow, TabularFilter>;

  constructor(database: IdbDatabase, captures: IdbCaptures<TabularRow, TabularFilter>) {
    this.#database = database;
    this.#captures = captures;
  }

  /** What to index of each row, by the indexes that there are within this transaction. */
  async fields(transaction: WriteTransaction): Promise<(row: TabularRow) => readonly FieldKey[]> {
    const store = transaction.objectStore('fieldIndexes');
    const [ids, indexes] = await Promise.all([store.getAllKeys(), store.getAll()]);
    return (row) =>
      indexes.flatMap(({ organizationId, path }, at) =>
        organizationId === row.organizationId ? fieldKeys(ids[at]!, path, row) : [],
      );
  }

  /** Matches off an index that fits one of the hints; null where none does. */
  async page(
    transaction: ReadTransaction,
    { filter, order, after, limit }: Scan<TabularFilter>,
    hints: readonly FieldHint[],
  ): Promise<TabularRow[] | null> {
    const store = transaction.objectStore('fieldIndexes');
    const [ids, indexes] = await Promise.all([store.getAllKeys(), store.getAll()]);
    const bounds = boundsBeyond(filter.interval, order, after);
    if (bounds === null) return [];
    const byField = transaction.objectStore('tabular').index('fields');
    for (const [at, { organizationId, path, isBuilt }] of indexes.entries()) {
      if (organizationId !== filter.organizationId || !isBuilt) continue;
      for (const hint of usableHints(hints, path)) {
        const range = valueRange(ids[at]!, hint);
        if (range === null) return [];
        if ((await byField.getAllKeys(range, sortedAtOnce + 1)).length > sortedAtOnce) continue;
        const found = new Map((await byField.getAll(range)).map((stored) => [stored.id, stored])); // each once
        const rows = await this.#captures.matching(transaction, filter, [...found.values()]);
        const sign = order === 'ascending' ? 1 : -1;
        return rows
          .filter((row) => {
            const place = positionOf(row);
            return comparePositions(place, bounds.lower) > 0 && comparePositions(place, bounds.upper) < 0;
          })
          .sort((a, b) => sign * comparePositions(positionOf(a), positionOf(b)))
          .slice(0, limit);
      }
    }
    return null;
  }

  store(keep: KeepChanges): IndexStore {
    const database = this.#database;
    return {
      create: async (index) => {
        const path = indexedPath(index);
        const { organizationId, name } = index;
        const collection = collectionKey(index.collection);
        const entry = { organizationId, collection, name, path, index };
        // From here on inserts keep it. A tab that was closed while building left it unbuilt: it is built again.
        const id = await database.write(['fieldIndexes', 'auditRows'], async (transaction) => {
          const store = transaction.objectStore('fieldIndexes');
          const key = await store.index('name').getKey([organizationId, collection, name]);
          if (key === undefined) {
            await keep(transaction, changesOf('index', null, index));
            return store.add({ ...entry, isBuilt: false });
          }
          if ((await store.get(key))!.isBuilt) throw alreadyExists('index', name);
          return key;
        });
        for (let last: readonly [number, string] | null = [-Infinity, '']; last !== null;) {
          const from: readonly [number, string] = last;
          last = await database.write(['tabular', 'streams'], (transaction) =>
            this.#build(transaction, id, entry, from),
          );
        }
        await database.write(['fieldIndexes'], async (transaction) => {
          await transaction.objectStore('fieldIndexes').put({ ...entry, isBuilt: true }, id);
        });
      },
      list: (...of) => this.#listed(true, ...of),
      beingBuilt: async (...of) => (await this.#listed(false, ...of)).map((index) => ({ index, progress: null })),
      delete: (organizationId, collection, name) =>
        database.write(['fieldIndexes', 'auditRows'], async (transaction) => {
          const store = transaction.objectStore('fieldIndexes');
          const key = await store.index('name').getKey([organizationId, collectionKey(collection), name]);
          if (key === undefined) throw notFound('index', name);
          await keep(transaction, changesOf('index', (await store.get(key))!.index, null));
          // Rows keep the keys of it until they are written again: ids are not used twice, so nothing finds them.
          await store.delete(key);
        }),
    };
  }

  /** Those that are whole, or those that are not, by name. */
  #listed(whole: boolean, organizationId: string, collection: IndexedCollection): Promise<readonly StoredIndex[]> {
    return this.#database.read(['fieldIndexes'], async (transaction) => {
      const own = [organizationId, collectionKey(collection)] as const;
      const range = IDBKeyRange.bound(own, [...own, []]);
      const entries = await transaction.objectStore('fieldIndexes').index('name').getAll(range);
      const listed = entries.filter(({ isBuilt }) => isBuilt === whole).map(({ index }) => index);
      return listed.sort((a, b) => byText(a.name, b.name));
    });
  }

  /** Indexes the next rows after `last`, and returns how far it came; null at the end. */
  async #build(
    transaction: WriteTransaction,
    id: number,
    { organizationId, path }: { readonly organizationId: string; readonly path: string },
    last: readonly [number, string],
  ): Promise<readonly [number, string] | null> {
    const store = transaction.objectStore('tabular');
    const stored = await store.getAll(IDBKeyRange.lowerBound(last, true), builtAtOnce);
    const written = stored
      .filter((row) => row.organizationId === organizationId)
      .map(async (row) => {
        const others = row.fields?.filter(([other]) => other !== id) ?? [];
        await store.put({ ...row, fields: [...others, ...fieldKeys(id, path, row)] });
      });
    await Promise.all(written);
    const end = stored.at(-1);
    return end === undefined ? null : [end.time, end.id];
  }
}

function fieldKeys(index: number, path: string, row: TabularRow | StoredCapture<TabularRow>): FieldKey[] {
  const [payload, time] = 'entry' in row ? [row.entry.payload, row.time] : [row.payload, row.timeRequested];
  return Array.from(valuesAt({ data: payload }, path), (value) => [index, storedValue(value), time, row.id]);
}
