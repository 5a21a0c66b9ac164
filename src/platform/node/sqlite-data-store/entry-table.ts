import type { SQLInputValue } from 'node:sqlite';
import { deserialize, serialize } from 'node:v8';
import type { SqliteDatabase } from './sqlite-database.ts';

type Columns = Readonly<Record<string, SQLInputValue>>;

/** A table of whole entries beside the columns that they are found by. */
export class EntryTable<Entry> {
  readonly #database: SqliteDatabase;
  readonly #name: string;
  readonly #columns: (entry: Entry) => Columns;

  constructor(database: SqliteDatabase, name: string, columns: (entry: Entry) => Columns) {
    this.#database = database;
    this.#name = name;
    this.#columns = columns;
  }

  insert(entry: Entry): void {
    const columns = this.#columns(entry);
    const names = Object.keys(columns);
    this.#database.run(
      `INSERT INTO ${this.#name} (${names.join(', ')}, entry) VALUES (${names.map(() => '?').join(', ')}, ?)`,
      ...Object.values(columns),
      serialize(entry),
    );
  }

  /** Writes the entry over those found. */
  replace(entry: Entry, where: Columns): void {
    const columns = this.#columns(entry);
    const names = Object.keys(columns);
    this.#database.run(
      `UPDATE ${this.#name} SET ${names.map((name) => `${name} = ?`).join(', ')}, entry = ? WHERE ${conditions(where)}`,
      ...Object.values(columns),
      serialize(entry),
      ...Object.values(where),
    );
  }

  find(where: Columns): Entry | undefined {
    return this.list(where)[0];
  }

  /** `rest` is SQL that follows the conditions: more of them, an order, a limit. */
  list(where: Columns, rest = '', ...values: readonly SQLInputValue[]): Entry[] {
    const sql = `SELECT entry FROM ${this.#name} WHERE ${conditions(where)} ${rest}`;
    return this.#database.all(sql, ...Object.values(where), ...values).map(({ entry }) => readEntry<Entry>(entry));
  }

  /** Returns how many there were. */
  delete(where: Columns): number {
    return this.#database.run(`DELETE FROM ${this.#name} WHERE ${conditions(where)}`, ...Object.values(where)).changes;
  }
}

export const readEntry = <Entry>(entry: unknown): Entry => deserialize(entry as Uint8Array) as Entry;

function conditions(where: Columns): string {
  const names = Object.keys(where);
  return names.length === 0 ? 'true' : names.map((name) => `${name} = ?`).join(' AND ');
}
