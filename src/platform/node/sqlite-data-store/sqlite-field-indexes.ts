import { serialize } from 'node:v8';
import type { TabularRow } from '../../../data-service/ports/capture.ts';
import { everythingOf, type Scan, type TabularFilter } from '../../../data-service/ports/capture-filter.ts';
import type { IndexStore, StoredIndex } from '../../../data-service/ports/index-store.ts';
import type { FieldHint } from '../../../data-service/ports/tabular-store.ts';
import { boundsBeyond } from '../../data-store/capture-ranges.ts';
import { joinTabular } from '../../data-store/capture-stream.ts';
import { collectionKey, indexedPath, usableHints, valuesAt } from '../../data-store/field-values.ts';
import { byText } from '../../../data-service/ports/name-order.ts';
import { StoreError } from '../../../data-service/ports/store-error.ts';
import { alreadyExists, notFound } from '../../../data-service/ports/store-refusals.ts';
import { readEntry } from './entry-table.ts';
import { IndexBuilds } from './index-builds.ts';
import type { SqliteCaptures, StoredCapture } from './sqlite-captures.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { summarize } from './summarize.ts';
import { tabularCaptures } from './tabular-captures.ts';
import { TurnRows } from './turn-rows.ts';
import { storedValue, valuesWithin } from './sqlite-value-range.ts';

/** Rows of an index that are sorted for one page; where more could match, reading in order of time is cheaper. */
const sortedAtOnce = 5000;
/** Of a sheet that is too large for a turn; they are split again where they still are. */
const splitInto = 8;

/** What `is_built` says; nothing is added to an index that is deleted. */
const [notBuilt, isBuilt, isDeleted] = [0, 1, 2];

interface UnbuiltIndex {
  readonly id: number;
  readonly organizationId: string;
  readonly path: string;
  readonly name: string;
}

/** Indexes that clients ask for, on fields of the readings: kept by every insert, and used by `pageByHints`. */
export class SqliteFieldIndexes {
  readonly #database: SqliteDatabase;
  readonly #captures: SqliteCaptures<TabularRow, TabularFilter>;
  readonly #turnRows = new TurnRows();
  readonly builds = new IndexBuilds();

  constructor(database: SqliteDatabase, captures: SqliteCaptures<TabularRow, TabularFilter>) {
    this.#database = database;
    this.#captures = captures;
  }

  /** Within the write that inserts the row. */
  add(row: number, capture: TabularRow): void {
    const sql = 'SELECT id, path FROM field_indexes WHERE organization_id = ? AND is_built < ?';
    for (const { id, path } of this.#database.all(sql, capture.organizationId, isDeleted)) {
      this.#addTo(id as number, path as string, row, capture);
    }
  }

  /** Whether there is an index, built or not, that readings of the organization must be rows for. */
  isUsedBy(organizationId: string): boolean {
    const sql = 'SELECT 1 FROM field_indexes WHERE organization_id = ? AND is_built < ? LIMIT 1';
    return this.#database.get(sql, organizationId, isDeleted) !== undefined;
  }

  /** Whether one of an organization's indexes fits one of the hints. */
  answers(organizationId: string, hints: readonly FieldHint[]): boolean {
    const sql = 'SELECT path FROM field_indexes WHERE organization_id = ? AND is_built = 1';
    const paths = hints.length === 0 ? [] : this.#database.all(sql, organizationId);
    return paths.some(({ path }) => usableHints(hints, path as string).length > 0);
  }

  /** Matches off an index that fits one of the hints; null where none does. */
  page(scan: Scan<TabularFilter>, hints: readonly FieldHint[]): TabularRow[] | null {
    const { filter, order, after, limit } = scan;
    const sql = 'SELECT id, path FROM field_indexes WHERE organization_id = ? AND is_built = 1';
    const bounds = boundsBeyond(filter.interval, order, after);
    if (bounds === null) return [];
    for (const { id, path } of this.#database.all(sql, filter.organizationId)) {
      for (const hint of usableHints(hints, path as string)) {
        const { condition, values } = valuesWithin(hint);
        const found = `field_index = ? AND ${condition}`;
        const capped = `SELECT count(*) AS count FROM (SELECT 1 FROM field_values WHERE ${found} LIMIT ?)`;
        const { count } = this.#database.get(capped, id as number, ...values, sortedAtOnce + 1) as { count: number };
        if (count > sortedAtOnce) continue;
        const direction = order === 'ascending' ? 'ASC' : 'DESC';
        const rows = this.#database.all(
          `SELECT time, id, stream, entry, payload FROM tabular_captures
           WHERE row IN (SELECT row FROM field_values WHERE ${found} AND (time, id) > (?, ?) AND (time, id) < (?, ?))
           ORDER BY time ${direction}, id ${direction}`,
          ...[id as number, ...values, bounds.lower.time, bounds.lower.id, bounds.upper.time, bounds.upper.id],
        );
        return this.#captures.matching(filter, rows as unknown as StoredCapture[]).slice(0, limit);
      }
    }
    return null;
  }

  store(): IndexStore {
    const database = this.#database;
    const named = 'organization_id = ? AND collection = ? AND name = ?';
    return {
      create: async (index) => {
        const path = indexedPath(index);
        const { organizationId, collection, name } = index;
        // From here on inserts keep it. A host that ended while building left it unbuilt: it is built on.
        const id = await database.write(() => {
          const known = database.get(
            `SELECT id, is_built FROM field_indexes WHERE ${named}`,
            ...[organizationId, collectionKey(collection), name],
          );
          if (known?.['is_built'] === isBuilt) throw alreadyExists('index', name);
          if (known) return known['id'] as number;
          return database.run(
            'INSERT INTO field_indexes (organization_id, collection, name, path, is_built, entry) VALUES (?, ?, ?, ?, ?, ?)',
            ...[organizationId, collectionKey(collection), name, path, notBuilt, serialize(index)],
          ).row;
        });
        // who asks again, as one whose deadline has passed, waits for the build that goes on
        await this.#build({ id, organizationId, path, name });
      },
      list: (organizationId, collection) =>
        database.read(() =>
          database
            .all(
              'SELECT entry FROM field_indexes WHERE organization_id = ? AND collection = ? AND is_built = 1',
              ...[organizationId, collectionKey(collection)],
            )
            .map(({ entry }) => readEntry<StoredIndex>(entry))
            .sort((a, b) => byText(a.name, b.name)),
        ),
      delete: async (organizationId, collection, name) => {
        const id = await database.write(() => {
          const known = database.get(
            `SELECT id FROM field_indexes WHERE ${named}`,
            ...[organizationId, collectionKey(collection), name],
          );
          if (known === undefined) throw notFound('index', name);
          // its name is free from here on
          const sql = 'UPDATE field_indexes SET is_built = ?, name = name || char(0) || id WHERE id = ?';
          database.run(sql, isDeleted, known['id'] as number);
          return known['id'] as number;
        });
        await this.#removeValues(id);
      },
    };
  }

  /** Goes on with the indexes that a host that ended has left half built or half deleted. */
  async takeUp(): Promise<void> {
    const left = await this.#database.read(() =>
      this.#database.all(
        'SELECT id, organization_id, path, name, is_built FROM field_indexes WHERE is_built != ?',
        isBuilt,
      ),
    );
    for (const row of left) {
      const id = row['id'] as number;
      const [organizationId, path, name] = [row['organization_id'], row['path'], row['name']] as [
        string,
        string,
        string,
      ];
      if (row['is_built'] === isDeleted) await this.#removeValues(id);
      else await this.#build({ id, organizationId, path, name }).catch(unlessDeleted);
    }
  }

  #build({ id, organizationId, path, name }: UnbuiltIndex): Promise<void> {
    const database = this.#database;
    let last: number | null = 0;
    return this.builds.build(id, {
      ...{ organizationId, name },
      count: async () => {
        const everything = { ...everythingOf(organizationId), additionalParameters: null };
        return (await summarize(database, tabularCaptures, everything)).count;
      },
      turn: () =>
        database.write(() => {
          const state = database.get('SELECT is_built FROM field_indexes WHERE id = ?', id)?.['is_built'];
          if (state !== notBuilt) throw notFound('index', name);
          // those in rows first: sheets become rows that are added to it at once
          if (last !== null) {
            const { count, end } = this.#indexRows(id, organizationId, path, last);
            last = end;
            return count;
          }
          const unpacked = this.#unpack(organizationId);
          if (unpacked === null) database.run('UPDATE field_indexes SET is_built = ? WHERE id = ?', isBuilt, id);
          return unpacked;
        }),
    });
  }

  async #removeValues(id: number): Promise<void> {
    const database = this.#database;
    const [all, key] = ['FROM field_values WHERE field_index = ?', 'field_index, value, time, id'];
    const sql = `DELETE FROM field_values WHERE (${key}) IN (SELECT ${key} ${all} LIMIT ?)`;
    await this.builds.inTurns(() =>
      database.write(() => {
        const changes = this.#turnRows.run((rows) => database.run(sql, id, rows).changes);
        if (changes === 0) database.run('DELETE FROM field_indexes WHERE id = ?', id);
        return changes;
      }),
    );
  }

  /** Makes rows of what a small sheet holds, or small sheets of a large one; returns how many rows, null where there is no sheet. */
  #unpack(organizationId: string): number | null {
    const { streams, sheets } = this.#captures;
    for (const stream of streams.ofOrganization(organizationId)) {
      const placed = sheets!.any(stream);
      if (placed === null) continue;
      if (placed.count > this.#turnRows.rows) {
        sheets!.split(stream, placed, Math.ceil(placed.count / splitInto));
        return 0;
      }
      return this.#turnRows.run(() => {
        const rows = sheets!.takeOut(placed).map((entry) => joinTabular(streams.byId(stream), entry));
        for (const row of rows) this.add(this.#captures.insert(row), row);
        return rows.length;
      });
    }
    return null;
  }

  /** Indexes the next rows after `last`; `end` is how far it came, null at the end. */
  #indexRows(index: number, organizationId: string, path: string, last: number): { count: number; end: number | null } {
    const sql =
      'SELECT row, time, id, stream, entry, payload FROM tabular_captures WHERE row > ? AND organization_id = ? ORDER BY row LIMIT ?';
    let end: number | null = null;
    const count = this.#turnRows.run((most) => {
      const rows = this.#database.all(sql, last, organizationId, most);
      for (const row of rows)
        this.#addTo(index, path, row['row'] as number, this.#captures.join(row as unknown as StoredCapture));
      end = rows.length < most ? null : (rows.at(-1)!['row'] as number);
      return rows.length;
    });
    return { count, end };
  }

  #addTo(index: number, path: string, row: number, capture: TabularRow): void {
    for (const value of valuesAt({ data: capture.payload }, path)) {
      this.#database.run(
        'INSERT OR IGNORE INTO field_values (field_index, value, time, id, row) VALUES (?, ?, ?, ?, ?)',
        ...[index, storedValue(value), capture.timeRequested, capture.id, row],
      );
    }
  }
}

const unlessDeleted = (error: unknown): void => {
  if (!(error instanceof StoreError && error.code === 'not-found')) throw error;
};
