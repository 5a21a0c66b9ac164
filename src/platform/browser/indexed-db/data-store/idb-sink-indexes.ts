import {
  alreadyExists,
  changesOf,
  type IndexStore,
  notFound,
  type StoredIndex,
} from '../../../../data-service/face/stores.ts';
import { byText, type FieldHint } from '../../../../data-service/face/captures.ts';
import { indexedSinkDocument } from '../../../../data-service/face/query-engine.ts';
import { indexedPath, sinkOf, usableHints, valuesAt } from '../../../data-store/field-values.ts';
import type { KeepChanges } from './idb-tables.ts';
import type { IdbDatabase } from './idb-database.ts';
import type { ReadTransaction, WriteTransaction } from './schema.ts';
import { storedValue, valueRange } from './value-range.ts';

/** Documents that are sorted for one page; where more could match, reading in order of windows is cheaper. */
const sortedAtOnce = 5000;
const builtAtOnce = 500;

/** The object stores that a write to a sink needs beside it. */
export const sinkIndexStores = ['sinkIndexes', 'sinkValues'] as const;

/** Indexes that clients ask for on the results of a pipeline: kept by every run that completes. */
export class IdbSinkIndexes {
  readonly #database: IdbDatabase;

  constructor(database: IdbDatabase) {
    this.#database = database;
  }

  /** Makes `documents`, by their keys, all that indexes have from one key to another, within the write that does so. */
  async replace(
    transaction: WriteTransaction,
    pipelineId: string,
    from: string,
    to: string,
    documents: ReadonlyMap<string, Uint8Array>,
  ): Promise<void> {
    for (const { id, path } of await ofPipeline(transaction, pipelineId)) {
      await deleteValues(transaction, IDBKeyRange.bound([id, from], [id, to]));
      for (const [key, document] of documents) await addTo(transaction, id, path, key, document);
    }
  }

  /** Within the write that deletes the pipeline. */
  async deleteOf(transaction: WriteTransaction, pipelineId: string): Promise<void> {
    for (const { id } of await ofPipeline(transaction, pipelineId)) await deleteIndex(transaction, id);
  }

  /** The keys of all documents that one of the hints could be met by, off an index, in order; null without such an index. */
  async keys(
    transaction: ReadTransaction,
    pipelineId: string,
    hints: readonly FieldHint[],
    afterKey: string,
    limit: number,
  ): Promise<string[] | null> {
    for (const { id, path, isBuilt } of hints.length === 0 ? [] : await ofPipeline(transaction, pipelineId)) {
      for (const hint of isBuilt ? usableHints(hints, path) : []) {
        const range = valueRange(id, hint);
        if (range === null) return [];
        const found = await transaction.objectStore('sinkValues').getAllKeys(range, sortedAtOnce + 1);
        if (found.length > sortedAtOnce) continue;
        const keys = new Set(found.map(([, , key]) => key).filter((key) => key > afterKey));
        return [...keys].sort(byText).slice(0, limit);
      }
    }
    return null;
  }

  store(keep: KeepChanges): IndexStore {
    const database = this.#database;
    return {
      create: async (index) => {
        const [pipelineId, path] = [sinkOf(index.collection), indexedPath(index)];
        const entry = { pipelineId, name: index.name, path, index };
        // From here on runs keep it. A tab that was closed while building left it unbuilt: it is built again.
        const id = await database.write(['sinkIndexes', 'auditRows'], async (transaction) => {
          const store = transaction.objectStore('sinkIndexes');
          const key = await store.index('name').getKey([pipelineId, index.name]);
          if (key === undefined) {
            await keep(transaction, changesOf('index', null, index));
            return store.add({ ...entry, isBuilt: false });
          }
          if ((await store.get(key))!.isBuilt) throw alreadyExists('index', index.name);
          return key;
        });
        for (let last: string | null = ''; last !== null;) {
          const from: string = last;
          last = await database.write(['sinks', 'sinkValues'], (transaction) =>
            build(transaction, id, pipelineId, path, from),
          );
        }
        await database.write(['sinkIndexes'], async (transaction) => {
          await transaction.objectStore('sinkIndexes').put({ ...entry, isBuilt: true }, id);
        });
      },
      list: (_, collection) => listed(database, true, sinkOf(collection)),
      beingBuilt: async (_, collection) =>
        (await listed(database, false, sinkOf(collection))).map((index) => ({ index, progress: null })),
      delete: (_, collection, name) =>
        database.write(['auditRows', ...sinkIndexStores], async (transaction) => {
          const indexes = transaction.objectStore('sinkIndexes');
          const key = await indexes.index('name').getKey([sinkOf(collection), name]);
          if (key === undefined) throw notFound('index', name);
          await keep(transaction, changesOf('index', (await indexes.get(key))!.index, null));
          await deleteIndex(transaction, key);
        }),
    };
  }
}

/** Those that are whole, or those that are not, by name. */
const listed = (database: IdbDatabase, whole: boolean, pipelineId: string): Promise<readonly StoredIndex[]> =>
  database.read(['sinkIndexes'], async (transaction) => {
    const own = IDBKeyRange.bound([pipelineId], [pipelineId, []]);
    const entries = await transaction.objectStore('sinkIndexes').index('name').getAll(own);
    const found = entries.filter(({ isBuilt }) => isBuilt === whole).map(({ index }) => index);
    return found.sort((a, b) => byText(a.name, b.name));
  });

async function ofPipeline(transaction: ReadTransaction | WriteTransaction, pipelineId: string) {
  const own = IDBKeyRange.bound([pipelineId], [pipelineId, []]);
  const byName = (transaction as ReadTransaction).objectStore('sinkIndexes').index('name');
  const [ids, entries] = await Promise.all([byName.getAllKeys(own), byName.getAll(own)]);
  return entries.map(({ path, isBuilt }, at) => ({ id: ids[at]!, path, isBuilt }));
}

/** Deletes by the place in the sink: `[index, key]`. */
async function deleteValues(transaction: WriteTransaction, places: IDBKeyRange): Promise<void> {
  const values = transaction.objectStore('sinkValues');
  for (const key of await values.index('place').getAllKeys(places)) await values.delete(key);
}

async function deleteIndex(transaction: WriteTransaction, id: number): Promise<void> {
  await transaction.objectStore('sinkValues').delete(IDBKeyRange.bound([id], [id, []]));
  await transaction.objectStore('sinkIndexes').delete(id);
}

async function addTo(
  transaction: WriteTransaction,
  id: number,
  path: string,
  key: string,
  document: Uint8Array,
): Promise<void> {
  const values = transaction.objectStore('sinkValues');
  for (const value of valuesAt(indexedSinkDocument(document), path)) {
    await values.put({ index: id, key }, [id, storedValue(value), key]);
  }
}

/** Indexes the next documents after `last`, and returns how far it came; null at the end. */
async function build(
  transaction: WriteTransaction,
  id: number,
  pipelineId: string,
  path: string,
  last: string,
): Promise<string | null> {
  const sinks = transaction.objectStore('sinks');
  const beyond = IDBKeyRange.bound([pipelineId, last], [pipelineId, []], true, true);
  const [keys, documents] = await Promise.all([
    sinks.getAllKeys(beyond, builtAtOnce),
    sinks.getAll(beyond, builtAtOnce),
  ]);
  for (const [at, document] of documents.entries()) await addTo(transaction, id, path, keys[at]![1], document);
  return keys.at(-1)?.[1] ?? null;
}
