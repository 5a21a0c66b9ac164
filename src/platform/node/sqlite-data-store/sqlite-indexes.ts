import { serialize } from 'node:v8';
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
import { readEntry } from './entry-table.ts';
import type { IndexBuilds } from '../../data-store/index-builds.ts';
import type { KeepChanges } from './sqlite-tables.ts';
import type { Row, SqliteDatabase } from './sqlite-database.ts';
import { TurnRows } from '../../data-store/turn-rows.ts';

/** What `is_built` says; nothing is added to an index that is deleted. */
const [notBuilt, isBuilt, isDeleted] = [0, 1, 2];

/** Where the indexes of one kind of collection are, and what they have. */
export interface IndexTables {
  readonly indexes: 'field_indexes' | 'sink_indexes';
  readonly values: 'field_values' | 'sink_values';
  /** the column of `values` that says of which index they are */
  readonly indexColumn: string;
  /** the primary key of `values` */
  readonly valueKey: string;
  /** the column of `indexes` that says whose they are */
  readonly ownerColumn: string;
  /** the columns of `indexes` within which a name is given once */
  columnsOf(index: Pick<StoredIndex, 'organizationId' | 'collection'>): Readonly<Record<string, string>>;
}

/** An index that is not whole. */
export interface UnbuiltIndex {
  readonly id: number;
  readonly path: string;
  readonly index: StoredIndex;
}

/** How indexes of one kind are filled. */
export interface IndexFilling {
  /** how many rows there are to be indexed, about */
  count(unbuilt: UnbuiltIndex): Promise<number>;
  /** Begins to fill: what is returned indexes some more rows within a write, and returns how many; null at the end. */
  begin(unbuilt: UnbuiltIndex): () => number | null;
}

/** The life of the indexes of one kind: built and deleted in turns, and taken up again where a host has ended. */
export class SqliteIndexes {
  readonly #database: SqliteDatabase;
  readonly #builds: IndexBuilds;
  readonly #tables: IndexTables;
  readonly #filling: IndexFilling;
  readonly #turnRows = new TurnRows();

  constructor(database: SqliteDatabase, builds: IndexBuilds, tables: IndexTables, filling: IndexFilling) {
    this.#database = database;
    this.#builds = builds;
    this.#tables = tables;
    this.#filling = filling;
  }

  /** Those that every write of the owner's keeps, built or not. */
  ofOwner(owner: string): { readonly id: number; readonly path: string; readonly isBuilt: boolean }[] {
    const { indexes, ownerColumn } = this.#tables;
    const sql = `SELECT id, path, is_built FROM ${indexes} WHERE ${ownerColumn} = ? AND is_built < ?`;
    return this.#database
      .all(sql, owner, isDeleted)
      .map(({ id, path, is_built: state }) => ({ id: id as number, path: path as string, isBuilt: state === isBuilt }));
  }

  store(keep: KeepChanges): IndexStore {
    const database = this.#database;
    const { indexes } = this.#tables;
    return {
      create: async (index) => {
        const path = indexedPath(index);
        // From here on writes keep it. A host that ended while building left it unbuilt: it is built on.
        const id = await database.write(() => {
          const known = this.#named(index, index.name);
          if (known?.['is_built'] === isBuilt) throw alreadyExists('index', index.name);
          if (known) return known['id'] as number;
          const columns = { ...this.#tables.columnsOf(index), name: index.name, path };
          keep(changesOf('index', null, index));
          return database.run(
            `INSERT INTO ${indexes} (${Object.keys(columns).join(', ')}, is_built, entry)
             VALUES (${Object.keys(columns)
               .map(() => '?')
               .join(', ')}, ?, ?)`,
            ...Object.values(columns),
            notBuilt,
            serialize(index),
          ).row;
        });
        // who asks again, as one whose deadline has passed, waits for the build that goes on
        await this.#build({ id, path, index });
      },
      list: async (...of) => (await this.#listed(isBuilt, ...of)).map(({ index }) => index),
      beingBuilt: async (...of) =>
        (await this.#listed(notBuilt, ...of)).map(({ id, index }) => ({
          index,
          progress: this.#builds.progressOf(this.#buildOf(id)),
        })),
      delete: async (organizationId, collection, name) => {
        const id = await database.write(() => {
          const known = this.#named({ organizationId, collection }, name);
          if (known === undefined) throw notFound('index', name);
          keep(changesOf('index', readEntry<StoredIndex>(known['entry']), null));
          return this.markDeleted(known['id'] as number);
        });
        await this.remove(id);
      },
    };
  }

  /** Frees the name of an index and lets nothing more be added to it, within a write. Returns its id: it is still to be removed. */
  markDeleted(id: number): number {
    const sql = `UPDATE ${this.#tables.indexes} SET is_built = ?, name = name || char(0) || id WHERE id = ?`;
    this.#database.run(sql, isDeleted, id);
    return id;
  }

  /** Removes what a deleted index has, and then itself. @throws StoreError `unavailable` when the store is closed before */
  async remove(id: number): Promise<void> {
    const database = this.#database;
    const { indexes, values, valueKey, indexColumn } = this.#tables;
    const sql = `DELETE FROM ${values} WHERE (${valueKey}) IN
      (SELECT ${valueKey} FROM ${values} WHERE ${indexColumn} = ? LIMIT ?)`;
    await this.#builds.inTurns(() =>
      database.write(() => {
        const changes = this.#turnRows.run((rows) => database.run(sql, id, rows).changes);
        if (changes === 0) database.run(`DELETE FROM ${indexes} WHERE id = ?`, id);
        return changes;
      }),
    );
  }

  /** Goes on with the indexes that a host that has ended left half built or half deleted. */
  async takeUp(): Promise<void> {
    const sql = `SELECT id, path, is_built, entry FROM ${this.#tables.indexes} WHERE is_built != ?`;
    const left = await this.#database.read(() => this.#database.all(sql, isBuilt));
    for (const { id, path, is_built: state, entry } of left) {
      if (state === isDeleted) await this.remove(id as number);
      else {
        const unbuilt = { id: id as number, path: path as string, index: readEntry<StoredIndex>(entry) };
        await this.#build(unbuilt).catch(unlessDeleted);
      }
    }
  }

  #build(unbuilt: UnbuiltIndex): Promise<void> {
    const database = this.#database;
    const { indexes } = this.#tables;
    const { id, index } = unbuilt;
    const fill = this.#filling.begin(unbuilt);
    return this.#builds.build(this.#buildOf(id), {
      organizationId: index.organizationId,
      name: index.name,
      count: () => this.#filling.count(unbuilt),
      turn: () =>
        database.write(() => {
          const state = database.get(`SELECT is_built FROM ${indexes} WHERE id = ?`, id)?.['is_built'];
          if (state !== notBuilt) throw notFound('index', index.name);
          const count = fill();
          if (count === null) database.run(`UPDATE ${indexes} SET is_built = ? WHERE id = ?`, isBuilt, id);
          return count;
        }),
    });
  }

  #buildOf(id: number): string {
    return `${this.#tables.indexes} ${id}`;
  }

  /** Those of a state, by name. */
  #listed(state: number, organizationId: string, collection: IndexedCollection) {
    const database = this.#database;
    return database.read(() => {
      const { where, values } = this.#within({ organizationId, collection });
      return database
        .all(`SELECT id, entry FROM ${this.#tables.indexes} WHERE ${where} AND is_built = ?`, ...values, state)
        .map(({ id, entry }) => ({ id: id as number, index: readEntry<StoredIndex>(entry) }))
        .sort((a, b) => byText(a.index.name, b.index.name));
    });
  }

  #named(of: Pick<StoredIndex, 'organizationId' | 'collection'>, name: string): Row | undefined {
    const { where, values } = this.#within(of);
    return this.#database.get(
      `SELECT id, is_built, entry FROM ${this.#tables.indexes} WHERE ${where} AND name = ?`,
      ...values,
      name,
    );
  }

  #within(of: Pick<StoredIndex, 'organizationId' | 'collection'>) {
    const columns = this.#tables.columnsOf(of);
    const where = Object.keys(columns).map((column) => `${column} = ?`);
    return { where: where.join(' AND '), values: Object.values(columns) };
  }
}

const unlessDeleted = (error: unknown): void => {
  if (!(error instanceof StoreError && error.code === 'not-found')) throw error;
};
