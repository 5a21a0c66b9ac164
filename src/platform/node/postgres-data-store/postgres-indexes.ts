import { deserialize, serialize } from 'node:v8';
import {
  alreadyExists,
  changesOf,
  type IndexedCollection,
  type IndexStore,
  notFound,
  type StoredIndex,
  StoreError,
} from '../../../data-service/face/stores.ts';
import { byText } from '../../../data-service/face/captures.ts';
import { indexedPath } from '../../data-store/field-values.ts';
import type { IndexBuilds } from '../../data-store/index-builds.ts';
import { TurnRows } from '../../data-store/turn-rows.ts';
import { collectionColumn, lockIndexes, type ValuesTable } from './live-indexes.ts';
import type { KeepChanges } from './postgres-tables.ts';
import type { PostgresDatabase, Statements } from './postgres-database.ts';
import { textKey } from './text-key.ts';

/** Rows are locked while they are indexed: who deletes or replaces them waits for so long. */
const aimedMs = 50;
const removedAtOnce = 2000;

/** An index that is not whole. */
export interface UnbuiltIndex {
  readonly id: number;
  readonly path: string;
  readonly index: StoredIndex;
  /** the position up to which the index is filled; null: the index is empty */
  readonly position: string | null;
}

/** How indexes of one kind are filled. */
export interface IndexFilling {
  readonly values: ValuesTable;
  /** how many rows there are to be indexed beyond its position */
  count(statements: Statements, unbuilt: UnbuiltIndex): Promise<number>;
  /** Indexes at most so many rows beyond its position; fewer: it is whole. */
  fill(
    statements: Statements,
    unbuilt: UnbuiltIndex,
    most: number,
  ): Promise<{ readonly count: number; readonly position: string | null }>;
}

interface IndexRow {
  readonly id: number;
  readonly state: 'unbuilt' | 'built' | 'deleted';
  readonly position: string | null;
  readonly entry: Uint8Array;
}

type Key = Pick<UnbuiltIndex, 'id'> & { readonly index: Pick<StoredIndex, 'organizationId' | 'collection'> };

/**
 * The life of the indexes of clients. They are built and deleted in turns: each turn is a transaction of its own that goes on where
 * the last one has come to, so that any host takes up what another one has left, and two that build the same index share the work.
 */
export class PostgresIndexes {
  readonly #database: PostgresDatabase;
  readonly #builds: IndexBuilds;
  readonly #fillings: Readonly<Record<IndexedCollection['kind'], IndexFilling>>;

  constructor(
    database: PostgresDatabase,
    builds: IndexBuilds,
    fillings: Readonly<Record<IndexedCollection['kind'], IndexFilling>>,
  ) {
    this.#database = database;
    this.#builds = builds;
    this.#fillings = fillings;
  }

  store(keep: KeepChanges): IndexStore {
    const database = this.#database;
    return {
      create: async (index) => {
        const { organizationId, collection, name } = index;
        const path = indexedPath(index);
        const made = await database.write(async (statements) => {
          await lockIndexes(statements, organizationId);
          const known = await this.#named(statements, organizationId, collection, name);
          if (known?.state === 'built') throw alreadyExists('index', name);
          if (known !== undefined) return known;
          await keep(statements, changesOf('index', null, index));
          const sql = `INSERT INTO indexes (organization_id, collection, name_key, state, entry)
            VALUES ($1, $2, $3, 'unbuilt', $4) RETURNING id, position`;
          const values = [organizationId, collectionColumn(collection), textKey(name), serialize(index)];
          return (await statements.row(sql, ...values)) as unknown as Pick<IndexRow, 'id' | 'position'>;
        });
        // who asks again, as one whose deadline has passed, waits for the build that goes on
        await this.#build({ id: made.id, path, index, position: made.position });
      },
      list: async (...of) => (await this.#listed('built', ...of)).map(({ index }) => index),
      beingBuilt: async (organizationId, collection) =>
        (await this.#listed('unbuilt', organizationId, collection)).map(({ id, index }) => ({
          index,
          progress: this.#builds.progressOf(buildOf(organizationId, id)),
        })),
      delete: async (organizationId, collection, name) => {
        const deleted = await database.write(async (statements) => {
          await lockIndexes(statements, organizationId);
          const known = await this.#named(statements, organizationId, collection, name);
          if (known === undefined) throw notFound('index', name);
          await markDeleted(statements, organizationId, [known.id]);
          await keep(statements, changesOf('index', indexOf(known.entry), null));
          return known.id;
        });
        await this.remove({ id: deleted, index: { organizationId, collection } });
      },
    };
  }

  /** Within the write that deletes a collection; what is returned is to be removed after it. */
  async deleteOf(
    statements: Statements,
    organizationId: string,
    collection: IndexedCollection,
  ): Promise<readonly Key[]> {
    await lockIndexes(statements, organizationId);
    const rows = await statements.rows(
      "SELECT id FROM indexes WHERE organization_id = $1 AND collection = $2 AND state <> 'deleted'",
      organizationId,
      collectionColumn(collection),
    );
    const ids = rows.map(({ id }) => id as number);
    await markDeleted(statements, organizationId, ids);
    return ids.map((id) => ({ id, index: { organizationId, collection } }));
  }

  /** Removes what a deleted index has, and then itself. @throws StoreError `unavailable` when the store is closed before */
  async remove({ id, index: { organizationId, collection } }: Key): Promise<void> {
    const { values } = this.#fillings[collection.kind];
    await this.#builds.inTurns(() =>
      this.#database.write(async (statements) => {
        const count = await statements.run(
          `DELETE FROM ${values} WHERE organization_id = $1 AND ctid = ANY (ARRAY (
             SELECT ctid FROM ${values} WHERE organization_id = $1 AND index_id = $2 LIMIT $3
           ))`,
          organizationId,
          id,
          removedAtOnce,
        );
        if (count === 0)
          await statements.run('DELETE FROM indexes WHERE organization_id = $1 AND id = $2', organizationId, id);
        return count;
      }),
    );
  }

  /** Goes on with the indexes that are half built or half deleted, perhaps by a host that has ended. */
  async takeUp(): Promise<void> {
    const left = (await this.#database.rows(
      "SELECT id, state, position, entry FROM indexes WHERE state <> 'built' ORDER BY organization_id, id",
    )) as unknown as readonly IndexRow[];
    for (const { id, state, position, entry } of left) {
      const index = indexOf(entry);
      if (state === 'deleted') await this.remove({ id, index });
      else await this.#build({ id, path: indexedPath(index), index, position }).catch(unlessDeleted);
    }
  }

  #build(unbuilt: UnbuiltIndex): Promise<void> {
    const { id, index } = unbuilt;
    const { organizationId, name, collection } = index;
    const filling = this.#fillings[collection.kind];
    const turnRows = new TurnRows(aimedMs);
    return this.#builds.build(buildOf(organizationId, id), {
      organizationId,
      name,
      count: () => this.#database.read((statements) => filling.count(statements, unbuilt)),
      turn: async () => {
        const beganMs = performance.now();
        const count = await this.#database.write((statements) => fillOn(statements, filling, unbuilt, turnRows.rows));
        turnRows.took(count ?? 0, performance.now() - beganMs);
        return count;
      },
    });
  }

  /** Those of a state, by name. */
  async #listed(state: IndexRow['state'], organizationId: string, collection: IndexedCollection) {
    const rows = await this.#database.rows(
      'SELECT id, entry FROM indexes WHERE organization_id = $1 AND collection = $2 AND state = $3',
      organizationId,
      collectionColumn(collection),
      state,
    );
    return rows
      .map(({ id, entry }) => ({ id: id as number, index: indexOf(entry) }))
      .sort((a, b) => byText(a.index.name, b.index.name));
  }

  async #named(
    statements: Statements,
    organizationId: string,
    collection: IndexedCollection,
    name: string,
  ): Promise<IndexRow | undefined> {
    const sql = `SELECT id, state, position, entry FROM indexes
      WHERE organization_id = $1 AND collection = $2 AND name_key = $3`;
    const values = [organizationId, collectionColumn(collection), textKey(name)];
    return (await statements.row(sql, ...values)) as IndexRow | undefined;
  }
}

/** One turn: from where the last one of any host has come to. Resolves to how many rows there were, null at the end. */
async function fillOn(
  statements: Statements,
  filling: IndexFilling,
  unbuilt: UnbuiltIndex,
  most: number,
): Promise<number | null> {
  const { id, index } = unbuilt;
  // locked, but not against a look at its key
  const sql = 'SELECT state, position FROM indexes WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE';
  const found = (await statements.row(sql, index.organizationId, id)) as IndexRow | undefined;
  if (found?.state === 'built') return null;
  if (found?.state !== 'unbuilt') throw notFound('index', index.name);
  const { count, position } = await filling.fill(statements, { ...unbuilt, position: found.position }, most);
  await statements.run(
    'UPDATE indexes SET position = $3, state = $4 WHERE organization_id = $1 AND id = $2',
    index.organizationId,
    id,
    position,
    count === 0 ? 'built' : 'unbuilt',
  );
  return count === 0 ? null : count;
}

/** Frees the names of indexes and lets nothing more be added to them. */
async function markDeleted(statements: Statements, organizationId: string, ids: readonly number[]): Promise<void> {
  // U+0001 begins no name but a digest
  await statements.run(
    `UPDATE indexes SET state = 'deleted', name_key = U&'\\0001' || id WHERE organization_id = $1 AND id = ANY($2::bigint[])`,
    organizationId,
    ids,
  );
}

const buildOf = (organizationId: string, id: number): string => `${organizationId} ${id}`;

const indexOf = (entry: unknown): StoredIndex => deserialize(entry as Uint8Array) as StoredIndex;

const unlessDeleted = (error: unknown): void => {
  if (!(error instanceof StoreError && error.code === 'not-found')) throw error;
};
