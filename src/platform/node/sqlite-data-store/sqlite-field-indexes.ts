import {
  everyReadingOf,
  type FieldHint,
  type Position,
  type Scan,
  type TabularFilter,
  type TabularRow,
} from '../../../data-service/face/captures.ts';
import type { IndexStore } from '../../../data-service/face/stores.ts';
import { boundsBeyond } from '../../data-store/capture-ranges.ts';
import { joinTabular } from '../../data-store/capture-stream.ts';
import { collectionKey, usableHints, valuesAt } from '../../data-store/field-values.ts';
import type { IndexBuilds } from '../../data-store/index-builds.ts';
import type { SqliteCaptures, StoredCapture } from './sqlite-captures.ts';
import type { KeepChanges } from './sqlite-tables.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { SqliteIndexes, type IndexTables, type UnbuiltIndex } from './sqlite-indexes.ts';
import { summarize } from './summarize-captures.ts';
import { tabularCaptures } from './tabular-captures.ts';
import { TurnRows } from '../../data-store/turn-rows.ts';
import { storedValue, valuesWithin } from './sqlite-value-range.ts';

/** Rows of an index that are sorted for one page; where more could match, reading in order of time is cheaper. */
const sortedAtOnce = 5000;
/** Parts into which a sheet is split that is too large for a turn; they are split again where they still are. */
const splitInto = 8;

const tables: IndexTables = {
  indexes: 'field_indexes',
  values: 'field_values',
  indexColumn: 'field_index',
  valueKey: 'field_index, value, time, id',
  ownerColumn: 'organization_id',
  columnsOf: ({ organizationId, collection }) => ({
    organization_id: organizationId,
    collection: collectionKey(collection),
  }),
};

type StoredRow = StoredCapture & { readonly row: number };

/** Indexes that clients ask for, on fields of the readings: kept by every insert, and used by `pageByHints`. */
export class SqliteFieldIndexes {
  readonly #database: SqliteDatabase;
  readonly #captures: SqliteCaptures<TabularRow, TabularFilter>;
  readonly #indexes: SqliteIndexes;
  readonly #turnRows = new TurnRows();

  constructor(database: SqliteDatabase, captures: SqliteCaptures<TabularRow, TabularFilter>, builds: IndexBuilds) {
    this.#database = database;
    this.#captures = captures;
    this.#indexes = new SqliteIndexes(database, builds, tables, {
      count: ({ index }) => this.#countOf(index.organizationId),
      begin: (unbuilt) => this.#begin(unbuilt),
    });
  }

  /** Within the write that inserts the row. */
  add(row: number, capture: TabularRow): void {
    for (const { id, path } of this.#indexes.ofOwner(capture.organizationId)) this.#addTo(id, path, row, capture);
  }

  /** Whether there is an index, built or not, that readings of the organization must be rows for. */
  isUsedBy(organizationId: string): boolean {
    return this.#indexes.ofOwner(organizationId).length > 0;
  }

  /** Whether one of an organization's indexes fits one of the hints. */
  answers(organizationId: string, hints: readonly FieldHint[]): boolean {
    return this.#built(organizationId, hints).some(({ path }) => usableHints(hints, path).length > 0);
  }

  /** Matches off an index that fits one of the hints; null where none does. */
  page(scan: Scan<TabularFilter>, hints: readonly FieldHint[]): TabularRow[] | null {
    const { filter, order, after, limit } = scan;
    const bounds = boundsBeyond(filter.interval, order, after);
    if (bounds === null) return [];
    for (const { id, path } of this.#built(filter.organizationId, hints)) {
      for (const hint of usableHints(hints, path)) {
        const { condition, values } = valuesWithin(hint);
        const found = `field_index = ? AND ${condition}`;
        const capped = `SELECT count(*) AS count FROM (SELECT 1 FROM field_values WHERE ${found} LIMIT ?)`;
        const { count } = this.#database.get(capped, id, ...values, sortedAtOnce + 1) as { count: number };
        if (count > sortedAtOnce) continue;
        const direction = order === 'ascending' ? 'ASC' : 'DESC';
        const rows = this.#database.all(
          `SELECT time, id, stream, entry, payload FROM tabular_captures
           WHERE row IN (SELECT row FROM field_values WHERE ${found} AND (time, id) > (?, ?) AND (time, id) < (?, ?))
           ORDER BY time ${direction}, id ${direction}`,
          id,
          ...values,
          bounds.lower.time,
          bounds.lower.id,
          bounds.upper.time,
          bounds.upper.id,
        );
        return this.#captures.matching(filter, rows as unknown as StoredCapture[]).slice(0, limit);
      }
    }
    return null;
  }

  store(keep: KeepChanges): IndexStore {
    return this.#indexes.store(keep);
  }

  takeUp(): Promise<void> {
    return this.#indexes.takeUp();
  }

  #built(organizationId: string, hints: readonly FieldHint[]) {
    return hints.length === 0 ? [] : this.#indexes.ofOwner(organizationId).filter(({ isBuilt }) => isBuilt);
  }

  async #countOf(organizationId: string): Promise<number> {
    const everything = everyReadingOf(organizationId);
    return (await summarize(this.#database, tabularCaptures, everything)).count;
  }

  #begin({ id, path, index: { organizationId } }: UnbuiltIndex): () => number | null {
    let last: Position | null = { time: -Infinity, id: '' };
    return () => {
      // those in rows first: sheets become rows that are added to it at once
      if (last === null) return this.#unpack(organizationId);
      const { count, end } = this.#indexRows(id, organizationId, path, last);
      last = end;
      return count;
    };
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
  #indexRows(index: number, organizationId: string, path: string, last: Position) {
    const sql = `SELECT row, time, id, stream, entry, payload FROM tabular_captures
      WHERE organization_id = ? AND (time, id) > (?, ?) ORDER BY time, id LIMIT ?`;
    let end: Position | null = null;
    const count = this.#turnRows.run((most) => {
      const rows = this.#database.all(sql, organizationId, last.time, last.id, most) as unknown as StoredRow[];
      for (const row of rows) this.#addTo(index, path, row.row, this.#captures.join(row));
      end = rows.length < most ? null : rows.at(-1)!;
      return rows.length;
    });
    return { count, end: end as Position | null };
  }

  #addTo(index: number, path: string, row: number, capture: TabularRow): void {
    for (const value of valuesAt({ data: capture.payload }, path)) {
      this.#database.run(
        'INSERT OR IGNORE INTO field_values (field_index, value, time, id, row) VALUES (?, ?, ?, ?, ?)',
        index,
        storedValue(value),
        capture.timeRequested,
        capture.id,
        row,
      );
    }
  }
}
