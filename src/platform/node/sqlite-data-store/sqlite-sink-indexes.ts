import { serialize } from 'node:v8';
import type { IndexStore, StoredIndex } from '../../../data-service/ports/index-store.ts';
import { byText } from '../../../data-service/ports/name-order.ts';
import { indexedSinkDocument } from '../../../data-service/ports/sink-values.ts';
import { alreadyExists, notFound } from '../../../data-service/ports/store-refusals.ts';
import type { FieldHint } from '../../../data-service/ports/tabular-store.ts';
import { indexedPath, sinkOf, usableHints, valuesAt } from '../../data-store/field-values.ts';
import { readEntry } from './entry-table.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { storedValue, valuesWithin } from './sqlite-value-range.ts';

/** Documents that are sorted for one page; where more could match, reading in order of windows is cheaper. */
const sortedAtOnce = 5000;
/** The host waits for each turn: some milliseconds. */
const builtAtOnce = 200;

/** Indexes that clients ask for on the results of a pipeline: kept by every run that completes. */
export class SqliteSinkIndexes {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  /** Makes `documents`, by their keys, all that indexes have from one key to another, within the write that does so. */
  replace(pipelineId: string, from: string, to: string, documents: ReadonlyMap<string, Uint8Array>): void {
    for (const { id, path } of this.#ofPipeline(pipelineId)) {
      this.#database.run('DELETE FROM sink_values WHERE sink_index = ? AND key > ? AND key < ?', id, from, to);
      for (const [key, document] of documents) this.#addTo(id, path, key, document);
    }
  }

  /** Within the write that deletes the pipeline. */
  deleteOf(pipelineId: string): void {
    for (const { id } of this.#ofPipeline(pipelineId)) this.#delete(id);
  }

  /** The keys of all documents that one of the hints could be met by, off an index, in order; null without such an index. */
  keys(pipelineId: string, hints: readonly FieldHint[], afterKey: string, limit: number): string[] | null {
    for (const { id, path, isBuilt } of hints.length === 0 ? [] : this.#ofPipeline(pipelineId)) {
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

  store(): IndexStore {
    const database = this.#database;
    const idOf = (pipelineId: string, name: string) =>
      database.get('SELECT id, is_built FROM sink_indexes WHERE pipeline_id = ? AND name = ?', pipelineId, name);
    return {
      create: async (index) => {
        const [pipelineId, path] = [sinkOf(index.collection), indexedPath(index)];
        // From here on runs keep it. A host that died while building left it unbuilt: it is built again.
        const id = await database.write(() => {
          const known = idOf(pipelineId, index.name);
          if (known?.['is_built']) throw alreadyExists('index', index.name);
          if (known) return known['id'] as number;
          return database.run(
            'INSERT INTO sink_indexes (pipeline_id, name, path, is_built, entry) VALUES (?, ?, ?, 0, ?)',
            ...[pipelineId, index.name, path, serialize(index)],
          ).row;
        });
        for (let last: string | null = ''; last !== null;) {
          const from: string = last;
          last = await database.write(() => this.#build(id, pipelineId, path, from));
        }
        await database.write(() => database.run('UPDATE sink_indexes SET is_built = 1 WHERE id = ?', id));
      },
      list: (_, collection) =>
        database.read(() =>
          database
            .all('SELECT entry FROM sink_indexes WHERE pipeline_id = ? AND is_built = 1', sinkOf(collection))
            .map(({ entry }) => readEntry<StoredIndex>(entry))
            .sort((a, b) => byText(a.name, b.name)),
        ),
      delete: (_, collection, name) =>
        database.write(() => {
          const known = idOf(sinkOf(collection), name);
          if (known === undefined) throw notFound('index', name);
          this.#delete(known['id'] as number);
        }),
    };
  }

  #ofPipeline(pipelineId: string) {
    return this.#database
      .all('SELECT id, path, is_built FROM sink_indexes WHERE pipeline_id = ?', pipelineId)
      .map(({ id, path, is_built: isBuilt }) => ({ id: id as number, path: path as string, isBuilt: isBuilt === 1 }));
  }

  #delete(id: number): void {
    this.#database.run('DELETE FROM sink_values WHERE sink_index = ?', id);
    this.#database.run('DELETE FROM sink_indexes WHERE id = ?', id);
  }

  /** Indexes the next documents after `last`, and returns how far it came; null at the end. */
  #build(id: number, pipelineId: string, path: string, last: string): string | null {
    const rows = this.#database.all(
      'SELECT key, document FROM sinks WHERE pipeline_id = ? AND key > ? ORDER BY key LIMIT ?',
      ...[pipelineId, last, builtAtOnce],
    );
    for (const { key, document } of rows) this.#addTo(id, path, key as string, document as Uint8Array);
    return (rows.at(-1)?.['key'] as string | undefined) ?? null;
  }

  #addTo(id: number, path: string, key: string, document: Uint8Array): void {
    for (const value of valuesAt(indexedSinkDocument(document), path)) {
      this.#database.run('INSERT OR IGNORE INTO sink_values VALUES (?, ?, ?)', id, storedValue(value), key);
    }
  }
}
