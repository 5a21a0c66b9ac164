import { randomBytes } from 'node:crypto';
import type { SQLInputValue } from 'node:sqlite';
import { deserialize, serialize } from 'node:v8';
import type { Change } from '../../../data-service/face/accounts.ts';
import type { Micros } from '../../../data-service/face/captures.ts';
import type { Clock } from '../../../data-service/face/hosts.ts';
import {
  camelCase,
  deletedSql,
  lastOfEachSql,
  rangeSql,
  snakeCase,
  whereSql,
  type Dialect,
} from '../../data-store/range-sql.ts';
import { joinBySteps } from '../../data-store/join-by-steps.ts';
import { runNow, step, type Steps } from '../../data-store/steps.ts';
import type {
  LastOfEach,
  Range,
  Reference,
  Table,
  TableStore,
  Value,
  Where,
  WriteTables,
} from '../../data-store/tables.ts';
import type { Row, SqliteDatabase } from './sqlite-database.ts';

type Columns = Readonly<Record<string, SQLInputValue>>;

/** Adds rows to the audit for changes by one author, within the write that makes them. */
export type KeepChanges = (changes: readonly Change[]) => void;

/** Columns that are not called as their fields. */
const columns: Readonly<Record<string, string>> = { membershipId: 'member_id' };
const columnOf = (field: string): string => columns[field] ?? snakeCase(field);

/** A field that is a list, and the table where an entry stands again for each text of it, beside fields that it is found by. */
interface ListTable {
  readonly field: string;
  readonly name: string;
  readonly column: string;
  readonly beside: readonly string[];
}
const lists: Readonly<Record<string, ListTable>> = {
  sequences: {
    field: 'datasetIds',
    name: 'sequence_members',
    column: 'dataset_id',
    beside: ['organizationId', 'timeCreated', 'id'],
  },
};

/** Whole entries beside the columns that they are found by. Steps end at once, within a transaction of `database`. */
export class SqliteTables implements WriteTables {
  readonly #database: SqliteDatabase;
  readonly #clock: Clock;
  /** SQL of what is asked for most, which takes longer to be put together than to be answered */
  readonly #sql = new Map<string, string>();

  constructor(database: SqliteDatabase, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  find<Entry, Field extends string>(table: Table<Entry, Field>, where: Where<Field>): Steps<Entry | null> {
    return step(() => {
      const sql = this.#sqlOf(
        `find ${table.name} ${Object.keys(where).join()}`,
        () => selectOf(table, { where, limit: 1 }).sql,
      );
      const values = Object.values(where as Where<string>) as (string | number | readonly string[])[];
      const row = this.#database.get(sql, ...values.map(valueOf));
      return row === undefined ? null : entryOf(table, row);
    });
  }

  list<Entry, Field extends string>(table: Table<Entry, Field>, range: Range<Field>): Steps<Entry[]> {
    return step(() => {
      const { sql, values } = selectOf(table, range);
      return this.#database.all(sql, ...values).map((row) => entryOf(table, row));
    });
  }

  count<Entry, Field extends string>(table: Table<Entry, Field>, where: Where<Field>): Steps<number> {
    return step(() => {
      const { sql, values } = selectOf(table, { where }, 'count(*) AS count');
      return this.#database.get(sql, ...values)!['count'] as number;
    });
  }

  lastOfEach<Entry, Field extends string>(
    table: Table<Entry, Field>,
    { where, by, order, limit }: LastOfEach<Field>,
  ): Steps<Entry[]> {
    return step(() => {
      const { dialect, values } = statement(table);
      const own = whereSql(where, dialect);
      const parts = { name: table.name, column: columnOf(by), own, order: order.map(columnOf) };
      const rows = this.#database.all(lastOfEachSql(parts, dialect.given(limit)), ...values);
      return rows.map((row) => entryOf(table, row));
    });
  }

  join<Entry, Field extends string>(
    table: Table<Entry, Field>,
    where: Where<Field>,
    path: readonly Reference[],
  ): Steps<readonly (readonly unknown[])[]> {
    return joinBySteps(this, table, where, path);
  }

  insert<Entry, Field extends string>(table: Table<Entry, Field>, entry: Entry): Steps<boolean> {
    return step(() => this.#insert(table, entry, 'ON CONFLICT DO NOTHING'));
  }

  insertAll<Entry, Field extends string>(table: Table<Entry, Field>, entries: readonly Entry[]): Steps<void> {
    return step(() => {
      for (const entry of entries) this.#insert(table, entry, '');
    });
  }

  replace<Entry, Field extends string>(table: Table<Entry, Field>, entry: Entry): Steps<void> {
    return step(() => {
      const row = columnsOf(table, entry);
      const key = table.key.map(columnOf);
      const sql = this.#sqlOf(`replace ${table.name}`, () => {
        const [sets, wheres] = [Object.keys(row), key].map((names) => names.map((name) => `${name} = ?`));
        return `UPDATE ${table.name} SET ${sets!.join(', ')} WHERE ${wheres!.join(' AND ')}`;
      });
      this.#database.run(sql, ...Object.values(row), ...key.map((name) => row[name]!));
      const fields: Readonly<Record<string, Value>> = table.fieldsOf(entry);
      this.#unlist(table, Object.fromEntries(table.key.map((field) => [field, fields[field] as string])));
      this.#enlist(table, entry);
    });
  }

  delete<Entry, Field extends string>(table: Table<Entry, Field>, range: Range<Field>): Steps<number> {
    return step(() => {
      this.#unlist(table, range.where);
      const { dialect, values } = statement(table);
      const key = table.key.filter((field) => !(field in range.where)).map(columnOf);
      const which = deletedSql(table.name, key, range, dialect);
      return this.#database.run(`DELETE FROM ${table.name} WHERE ${which}`, ...values).changes;
    });
  }

  lock(): Steps<void> {
    return step(() => undefined); // one process writes at a time
  }

  now(): Steps<Micros> {
    return step(() => this.#clock.now());
  }

  /** @param shape says all that the text depends on: of few kinds, since the texts stay */
  #sqlOf(shape: string, make: () => string): string {
    const known = this.#sql.get(shape) ?? make();
    this.#sql.set(shape, known);
    return known;
  }

  #insert<Entry, Field extends string>(table: Table<Entry, Field>, entry: Entry, onConflict: string): boolean {
    const row = columnsOf(table, entry);
    const sql = this.#sqlOf(`insert ${table.name} ${onConflict}`, () => {
      const names = Object.keys(row);
      return `INSERT INTO ${table.name} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')}) ${onConflict}`;
    });
    const isThere = this.#database.run(sql, ...Object.values(row)).changes > 0;
    if (isThere) this.#enlist(table, entry);
    return isThere;
  }

  #enlist<Entry, Field extends string>(table: Table<Entry, Field>, entry: Entry): void {
    const list = lists[table.name];
    if (list === undefined) return;
    const fields: Readonly<Record<string, Value>> = table.fieldsOf(entry);
    const sql = `INSERT INTO ${list.name} (${[list.column, ...list.beside.map(columnOf)].join(', ')})
      SELECT value, ${list.beside.map(() => '?').join(', ')} FROM json_each(?)`;
    const beside = list.beside.map((field) => fields[field] as SQLInputValue);
    this.#database.run(sql, ...beside, JSON.stringify(fields[list.field]));
  }

  #unlist<Entry, Field extends string>(table: Table<Entry, Field>, where: Where<string>): void {
    const list = lists[table.name];
    if (list === undefined) return;
    const { dialect, values } = statement(table);
    this.#database.run(`DELETE FROM ${list.name} WHERE ${whereSql(where, dialect)}`, ...values);
  }
}

/** The same tables for what is kept in SQLite's own way, within its transactions. */
export interface SqliteTableStore extends TableStore {
  readonly tables: SqliteTables;
}

/** The tables of a database, as the stores of entities ask for them. */
export function sqliteTables(database: SqliteDatabase, clock: Clock): SqliteTableStore {
  const tables = new SqliteTables(database, clock);
  return {
    tables,
    read: (_, steps) => database.read(() => runNow(steps(tables))),
    write: (_, steps) => database.write(() => runNow(steps(tables))),
    confirm: (table, where) => database.read(() => runNow(tables.find(table, where))),
    newId: () => randomBytes(9).toString('base64url'),
  };
}

function selectOf<Entry, Field extends string>(
  table: Table<Entry, Field>,
  range: Range<Field>,
  what = table.value === undefined ? 'entry' : '*',
): { readonly sql: string; readonly values: readonly SQLInputValue[] } {
  const { dialect, values } = statement(table);
  const list = lists[table.name];
  const isOfList = list !== undefined && list.field in range.where;
  const join = what === 'entry' ? `CROSS JOIN (SELECT id AS whole, entry FROM ${table.name}) ON whole = id` : '';
  const from = isOfList ? `${list.name} ${join}` : table.name + hintOf(table, range.index);
  return { sql: `SELECT ${what} FROM ${from} WHERE ${rangeSql(range, dialect)}`, values };
}

const valueOf = (value: string | number | readonly string[]): string | number =>
  typeof value === 'object' ? JSON.stringify(value) : value;

function statement<Entry, Field extends string>(
  table: Table<Entry, Field>,
): { readonly dialect: Dialect; readonly values: SQLInputValue[] } {
  const values: SQLInputValue[] = [];
  const list = lists[table.name];
  const given = (value: string | number | readonly string[]): string => {
    return `?${values.push(valueOf(value))}`;
  };
  return {
    values,
    dialect: {
      column: columnOf,
      given,
      isAnyOf: (column, texts) => `${column} IN (SELECT value FROM json_each(${texts}))`,
      has: (field, text) => (field === list?.field ? `${list.column} = ${given(text)}` : null),
    },
  };
}

/** Without statistics SQLite may take another index. */
function hintOf<Entry, Field extends string>({ name }: Table<Entry, Field>, index: string | undefined): string {
  if (index === undefined) return '';
  return index === '' ? ' NOT INDEXED' : ` INDEXED BY ${name}_by_${index}`;
}

function columnsOf<Entry, Field extends string>(table: Table<Entry, Field>, entry: Entry): Columns {
  const found: Record<string, SQLInputValue> = {};
  const list = lists[table.name]?.field;
  for (const [field, value] of Object.entries<Value>(table.fieldsOf(entry))) {
    if (field !== list) found[columnOf(field)] = value as SQLInputValue;
  }
  if (table.value === undefined) found['entry'] = serialize(entry);
  return found;
}

function entryOf<Entry, Field extends string>(table: Table<Entry, Field>, row: Row): Entry {
  if (table.value === undefined) return deserialize(row['entry'] as Uint8Array) as Entry;
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [camelCase(column), value])) as Entry;
}
