import { serialize } from 'node:v8';
import type { TabularRow } from '../../../data-service/ports/capture.ts';
import type { Scan, TabularFilter } from '../../../data-service/ports/capture-filter.ts';
import type { IndexStore, StoredIndex } from '../../../data-service/ports/index-store.ts';
import type { FieldHint } from '../../../data-service/ports/tabular-store.ts';
import { boundsBeyond } from '../../data-store/capture-ranges.ts';
import { joinTabular } from '../../data-store/capture-stream.ts';
import { collectionKey, indexedPath, usableHints, valuesAt } from '../../data-store/field-values.ts';
import { byText } from '../../../data-service/ports/name-order.ts';
import { alreadyExists, notFound } from '../../../data-service/ports/store-refusals.ts';
import { readEntry } from './entry-table.ts';
import type { SqliteCaptures, StoredCapture } from './sqlite-captures.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { storedValue, valuesWithin } from './sqlite-value-range.ts';

/** Rows of an index that are sorted for one page; where more could match, reading in order of time is cheaper. */
const sortedAtOnce = 5000;
const builtAtOnce = 1000;

/** Indexes that clients ask for, on fields of the readings: kept by every insert, and used by `pageByHints`. */
export class SqliteFieldIndexes {
  readonly #database: SqliteDatabase;
  readonly #captures: SqliteCaptures<TabularRow, TabularFilter>;

  constructor(database: SqliteDatabase, captures: SqliteCaptures<TabularRow, TabularFilter>) {
    this.#database = database;
    this.#captures = captures;
  }

  /** Within the write that inserts the row. */
  add(row: number, capture: TabularRow): void {
    const sql = 'SELECT id, path FROM field_indexes WHERE organization_id = ?';
    for (const { id, path } of this.#database.all(sql, capture.organizationId)) {
      this.#addTo(id as number, path as string, row, capture);
    }
  }

  /** Whether there is an index, built or not, that readings of the organization must be rows for. */
  isUsedBy(organizationId: string): boolean {
    return (
      this.#database.get('SELECT 1 FROM field_indexes WHERE organization_id = ? LIMIT 1', organizationId) !== undefined
    );
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
        // From here on inserts keep it. A host that died while building left it unbuilt: it is built again.
        const id = await database.write(() => {
          const known = database.get(
            `SELECT id, is_built FROM field_indexes WHERE ${named}`,
            ...[organizationId, collectionKey(collection), name],
          );
          if (known?.['is_built']) throw alreadyExists('index', name);
          if (known) return known['id'] as number;
          return database.run(
            'INSERT INTO field_indexes (organization_id, collection, name, path, is_built, entry) VALUES (?, ?, ?, ?, 0, ?)',
            ...[organizationId, collectionKey(collection), name, path, serialize(index)],
          ).row;
        });
        while (await database.write(() => this.#unpackOne(organizationId)));
        for (let last: number | null = 0; last !== null;) {
          const from: number = last;
          last = await database.write(() => this.#build(id, organizationId, path, from));
        }
        await database.write(() => database.run('UPDATE field_indexes SET is_built = 1 WHERE id = ?', id));
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
      delete: (organizationId, collection, name) =>
        database.write(() => {
          const known = database.get(
            `SELECT id FROM field_indexes WHERE ${named}`,
            ...[organizationId, collectionKey(collection), name],
          );
          if (known === undefined) throw notFound('index', name);
          database.run('DELETE FROM field_values WHERE field_index = ?', known['id'] as number);
          database.run('DELETE FROM field_indexes WHERE id = ?', known['id'] as number);
        }),
    };
  }

  /** Makes rows of what a sheet holds; whether there was one. */
  #unpackOne(organizationId: string): boolean {
    const { streams, sheets } = this.#captures;
    for (const stream of streams.ofOrganization(organizationId)) {
      const placed = sheets!.any(stream);
      if (placed === null) continue;
      const rows = sheets!.takeOut(placed).map((entry) => joinTabular(streams.byId(stream), entry));
      for (const row of rows) this.add(this.#captures.insert(row), row);
      return true;
    }
    return false;
  }

  /** Indexes the next rows after `last`, and returns how far it came; null at the end. */
  #build(index: number, organizationId: string, path: string, last: number): number | null {
    const rows = this.#database.all(
      'SELECT row, time, id, stream, entry, payload FROM tabular_captures WHERE row > ? AND organization_id = ? ORDER BY row LIMIT ?',
      ...[last, organizationId, builtAtOnce],
    );
    for (const row of rows) {
      this.#addTo(index, path, row['row'] as number, this.#captures.join(row as unknown as StoredCapture));
    }
    return (rows.at(-1)?.['row'] as number | undefined) ?? null;
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
