import type { IndexStore } from '../../../data-service/face/stores.ts';
import { indexedSinkDocument } from '../../../data-service/face/query-engine.ts';
import type { FieldHint } from '../../../data-service/face/captures.ts';
import { sinkOf, usableHints, valuesAt } from '../../data-store/field-values.ts';
import type { IndexBuilds } from '../../data-store/index-builds.ts';
import type { KeepChanges } from './sqlite-tables.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { SqliteIndexes, type IndexTables, type UnbuiltIndex } from './sqlite-indexes.ts';
import { storedValue, valuesWithin } from './sqlite-value-range.ts';
import { TurnRows } from '../../data-store/turn-rows.ts';

/** Documents that are sorted for one page; where more could match, reading in order of windows is cheaper. */
const sortedAtOnce = 5000;
/** The host waits for each step: some milliseconds. */
const countedAtOnce = 5000;

const tables: IndexTables = {
  indexes: 'sink_indexes',
  values: 'sink_values',
  indexColumn: 'sink_index',
  valueKey: 'sink_index, value, key',
  ownerColumn: 'pipeline_id',
  columnsOf: ({ collection }) => ({ pipeline_id: sinkOf(collection) }),
};

/** Indexes that clients ask for on the results of a pipeline: kept by every run that completes. */
export class SqliteSinkIndexes {
  readonly #database: SqliteDatabase;
  readonly #indexes: SqliteIndexes;
  readonly #turnRows = new TurnRows();

  constructor(database: SqliteDatabase, builds: IndexBuilds) {
    this.#database = database;
    this.#indexes = new SqliteIndexes(database, builds, tables, {
      count: ({ index }) => this.#countOf(sinkOf(index.collection)),
      begin: (unbuilt) => this.#begin(unbuilt),
    });
  }

  /** Makes `documents`, by their keys, all that indexes have from one key to another, within the write that does so. */
  replace(pipelineId: string, from: string, to: string, documents: ReadonlyMap<string, Uint8Array>): void {
    for (const { id, path } of this.#indexes.ofOwner(pipelineId)) {
      this.#database.run('DELETE FROM sink_values WHERE sink_index = ? AND key > ? AND key < ?', id, from, to);
      for (const [key, document] of documents) this.#addTo(id, path, key, document);
    }
  }

  /** Within the write that deletes the pipeline; what is returned is to be removed after it. */
  deleteOf(pipelineId: string): number[] {
    return this.#indexes.ofOwner(pipelineId).map(({ id }) => this.#indexes.markDeleted(id));
  }

  async remove(ids: readonly number[]): Promise<void> {
    for (const id of ids) await this.#indexes.remove(id);
  }

  /** The keys of all documents that one of the hints could be met by, off an index, in order; null without such an index. */
  keys(pipelineId: string, hints: readonly FieldHint[], afterKey: string, limit: number): string[] | null {
    for (const { id, path, isBuilt } of hints.length === 0 ? [] : this.#indexes.ofOwner(pipelineId)) {
      for (const hint of isBuilt ? usableHints(hints, path) : []) {
        const { condition, values } = valuesWithin(hint);
        const found = `FROM sink_values WHERE sink_index = ? AND ${condition}`;
        const capped = `SELECT count(*) AS count FROM (SELECT 1 ${found} LIMIT ?)`;
        const { count } = this.#database.get(capped, id, ...values, sortedAtOnce + 1) as { count: number };
        if (count > sortedAtOnce) continue;
        const page = `SELECT DISTINCT key ${found} AND key > ? ORDER BY key LIMIT ?`;
        return this.#database.all(page, id, ...values, afterKey, limit).map(({ key }) => key as string);
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

  #countOf(pipelineId: string): Promise<number> {
    return this.#database.readSlowly(function* (reader) {
      const sql = `SELECT count(*) AS count, max(key) AS last
        FROM (SELECT key FROM sinks WHERE pipeline_id = ? AND key > ? ORDER BY key LIMIT ?)`;
      let total = 0;
      for (let from: string | null = ''; from !== null; yield) {
        const counted = reader.get(sql, pipelineId, from, countedAtOnce) as { count: number; last: string | null };
        total += counted.count;
        from = counted.last;
      }
      return total;
    });
  }

  #begin({ id, path, index }: UnbuiltIndex): () => number | null {
    const sql = 'SELECT key, document FROM sinks WHERE pipeline_id = ? AND key > ? ORDER BY key LIMIT ?';
    let last = '';
    return () => {
      const count = this.#turnRows.run((most) => {
        const rows = this.#database.all(sql, sinkOf(index.collection), last, most);
        for (const { key, document } of rows) this.#addTo(id, path, key as string, document as Uint8Array);
        last = (rows.at(-1)?.['key'] as string | undefined) ?? last;
        return rows.length;
      });
      return count === 0 ? null : count;
    };
  }

  #addTo(id: number, path: string, key: string, document: Uint8Array): void {
    for (const value of valuesAt(indexedSinkDocument(document), path)) {
      this.#database.run('INSERT OR IGNORE INTO sink_values VALUES (?, ?, ?)', id, storedValue(value), key);
    }
  }
}
