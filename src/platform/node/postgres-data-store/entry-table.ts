import { deserialize, serialize } from 'node:v8';
import type { Statements } from './postgres-database.ts';

type Columns = Readonly<Record<string, string | number>>;
/** The values of columns by which rows are looked for: one value, or any of some texts. */
type Where = Readonly<Record<string, string | number | readonly string[]>>;
/** A transaction, or the database for one statement by itself. */
type Reading = Pick<Statements, 'rows'>;

/** The columns by which a table of whole entries is searched, beside them. Texts are as `textKey` makes them. */
export interface EntryTableColumns<Entry> {
  readonly key: (entry: Entry) => Columns;
  /** the other columns */
  readonly others?: (entry: Entry) => Columns;
}

/** A table of whole entries beside the columns that they are found by. */
export class EntryTable<Entry> {
  readonly name: string;
  readonly #columns: (entry: Entry) => Columns;
  readonly #key: (entry: Entry) => Columns;

  constructor(name: string, { key, others = () => ({}) }: EntryTableColumns<Entry>) {
    this.name = name;
    this.#key = key;
    this.#columns = (entry) => ({ ...key(entry), ...others(entry) });
  }

  /** All columns of an entry. */
  readonly columnsOf = (entry: Entry): Readonly<Record<string, string | number | Uint8Array>> => ({
    ...this.#columns(entry),
    entry: serialize(entry),
  });

  /** Resolves to whether it is there now; false: its key was there already, and is as it was. */
  async insert(statements: Statements, entry: Entry): Promise<boolean> {
    const columns = this.columnsOf(entry);
    const names = Object.keys(columns);
    const written = await statements.run(
      `INSERT INTO ${this.name} (${names.join(', ')}) VALUES (${names.map((_, index) => `$${index + 1}`).join(', ')})
       ON CONFLICT (${Object.keys(this.#key(entry)).join(', ')}) DO NOTHING`,
      ...Object.values(columns),
    );
    return written > 0;
  }

  /** Writes the entry over the one of its key. */
  async replace(statements: Statements, entry: Entry): Promise<void> {
    const columns = this.#columns(entry);
    const key = this.#key(entry);
    const set = [...Object.keys(columns), 'entry'].map((name, index) => `${name} = $${index + 1}`);
    await statements.run(
      `UPDATE ${this.name} SET ${set.join(', ')} WHERE ${conditions(key, set.length)}`,
      ...Object.values(columns),
      serialize(entry),
      ...Object.values(key),
    );
  }

  async find(statements: Reading, where: Where, locked: '' | 'FOR UPDATE' = ''): Promise<Entry | null> {
    return (await this.list(statements, where, `LIMIT 1 ${locked}`))[0] ?? null;
  }

  /** `rest` is SQL that follows the conditions: more of them, an order, a limit, a lock. Its `values` are $1, $2, and so on. */
  async list(statements: Reading, where: Where, rest = '', ...values: readonly (string | number)[]): Promise<Entry[]> {
    const sql = `SELECT entry FROM ${this.name} WHERE ${conditions(where, values.length)} ${rest}`;
    const rows = await statements.rows(sql, ...values, ...Object.values(where));
    return rows.map(({ entry }) => readEntry<Entry>(entry));
  }

  /** Resolves to how many there were. */
  delete(statements: Statements, where: Where): Promise<number> {
    return statements.run(`DELETE FROM ${this.name} WHERE ${conditions(where)}`, ...Object.values(where));
  }
}

/** What `columnsOf` has written as `entry`. */
export const readEntry = <Entry>(entry: unknown): Entry => deserialize(entry as Uint8Array) as Entry;

/** Conditions in SQL, for values that follow `before` others. */
export function conditions(where: Where, before = 0): string {
  const all = Object.entries(where).map(([name, value], index) => {
    const given = `$${before + index + 1}`;
    return `${name} = ${typeof value === 'object' ? `ANY (${given}::text[])` : given}`;
  });
  return all.length === 0 ? 'true' : all.join(' AND ');
}
