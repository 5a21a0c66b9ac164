import { randomBytes } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';
import type { Change } from '../../../data-service/face/accounts.ts';
import type { Micros } from '../../../data-service/face/captures.ts';
import {
  camelCase,
  deletedSql,
  lastOfEachSql,
  rangeSql,
  snakeCase,
  whereSql,
  type Dialect,
} from '../../data-store/range-sql.ts';
import { runInTurn, step, type Steps } from '../../data-store/steps.ts';
import type {
  Keep,
  LastOfEach,
  Lock,
  Range,
  ReadTables,
  Reference,
  Table,
  TableStore,
  Value,
  Where,
  WriteTables,
} from '../../data-store/tables.ts';
import { advisoryLock } from './advisory-lock.ts';
import { arrayLiteral } from './array-literal.ts';
import type { PostgresDatabase, Row, SqlValue, Statements } from './postgres-database.ts';
import { textKey } from './text-key.ts';

/** Adds rows to the audit for changes by one author, within the write that makes them. */
export type KeepChanges = (statements: Statements, changes: readonly Change[]) => Promise<void>;

type Columns = Readonly<Record<string, string | number | Uint8Array>>;

/** Columns that are not called as their fields, by table; null: the table has none. */
const columns: Readonly<Record<string, Readonly<Record<string, string | null>>>> = {
  datasets: { name: 'name_key' },
  saved_queries: { name: 'name_key' },
  organizations: { id: 'organization_id' },
  parts: { locationId: null },
  pipelines: { name: 'name_key', enabled: 'is_enabled' },
  members: { organizationId: 'organization' },
  invitations: { organizationId: 'organization' },
  sessions: { membershipId: 'member_id' },
};
/** Fields that are lists. */
const lists: ReadonlySet<string> = new Set(['datasetIds']);

const locks: Readonly<Record<Lock, string>> = { change: 'FOR UPDATE', deletion: 'FOR KEY SHARE' };

const columnOf = <Entry, Field extends string>({ name }: Table<Entry, Field>, field: string): string => {
  const column = columns[name]?.[field];
  return column === undefined ? snakeCase(field) : column!;
};

/** Whole entries beside the columns that they are found by. Texts are as `textKey` makes them. */
class PostgresReadTables implements ReadTables {
  readonly #reading: Pick<Statements, 'rows'>;

  constructor(reading: Pick<Statements, 'rows'>) {
    this.#reading = reading;
  }

  *find<Entry, Field extends string>(
    table: Table<Entry, Field>,
    where: Where<Field>,
    lock?: Lock,
  ): Steps<Entry | null> {
    const rows = yield* this.#select(table, table.value ? '*' : 'entry', { where, limit: 1 }, lock && locks[lock]);
    return rows.length === 0 ? null : entryOf(table, rows[0]!);
  }

  *list<Entry, Field extends string>(table: Table<Entry, Field>, range: Range<Field>, lock?: Lock): Steps<Entry[]> {
    const rest = lock && `ORDER BY ${keyOf(table).join(', ')} ${locks[lock]}`;
    const rows = yield* this.#select(table, table.value ? '*' : 'entry', range, rest);
    return rows.map((row) => entryOf(table, row));
  }

  *count<Entry, Field extends string>(table: Table<Entry, Field>, where: Where<Field>): Steps<number> {
    return (yield* this.#select(table, 'count(*)::integer AS count', { where }))[0]!['count'] as number;
  }

  *lastOfEach<Entry, Field extends string>(
    table: Table<Entry, Field>,
    { where, by, order, limit }: LastOfEach<Field>,
  ): Steps<Entry[]> {
    const { dialect, values } = statement(table);
    const names = { name: table.name, column: columnOf(table, by), own: whereSql(where, dialect) };
    const parts = { ...names, order: order.map((field) => columnOf(table, field)) };
    const rows = yield* step(() => this.#reading.rows(lastOfEachSql(parts, dialect.given(limit)), ...values));
    return rows.map((row) => entryOf(table, row));
  }

  *join<Entry, Field extends string>(
    table: Table<Entry, Field>,
    where: Where<Field>,
    path: readonly Reference[],
    lock?: Lock,
  ): Steps<readonly (readonly unknown[])[]> {
    const { dialect, values } = statement(table, `${table.name}.`);
    const all: readonly Table<never>[] = [table as never, ...path.map((each) => each.table)];
    const joins = path.map(
      ({ by, table: next }, at) => `JOIN ${next.name} ON ${next.name}.id = ${all[at]!.name}.${columnOf(all[at]!, by)}`,
    );
    const what = all.map(({ name }, at) => `${name}.entry AS entry${at}`).join(', ');
    const locked = lock ? `${locks[lock]} OF ${table.name}` : '';
    const sql =
      `SELECT ${what} FROM ${table.name} ${joins.join(' ')} WHERE ${whereSql(where, dialect)} ${locked}`.trimEnd();
    const rows = yield* step(() => this.#reading.rows(sql, ...values));
    return rows.map((row) => all.map((each, at) => entryOf(each, { entry: row[`entry${at}`] })));
  }

  #select<Entry, Field extends string>(
    table: Table<Entry, Field>,
    what: string,
    range: Range<Field>,
    rest = '',
  ): Steps<readonly Row[]> {
    const { dialect, values } = statement(table);
    const sql = `SELECT ${what} FROM ${table.name} WHERE ${rangeSql(range, dialect)} ${rest}`.trimEnd();
    return step(() => this.#reading.rows(sql, ...values));
  }
}

/** Within one write. */
export class PostgresTables extends PostgresReadTables implements WriteTables {
  readonly statements: Statements;

  constructor(statements: Statements) {
    super(statements);
    this.statements = statements;
  }

  *insert<Entry, Field extends string>(table: Table<Entry, Field>, entry: Entry): Steps<boolean> {
    const row = columnsOf(table, entry);
    const names = Object.keys(row);
    const sql = `INSERT INTO ${table.name} (${names.join(', ')}) VALUES (${names.map((_, at) => `$${at + 1}`).join(', ')})
       ON CONFLICT (${keyOf(table).join(', ')}) DO NOTHING`;
    return (yield* step(() => this.statements.run(sql, ...Object.values(row)))) > 0;
  }

  *insertAll<Entry, Field extends string>(table: Table<Entry, Field>, entries: readonly Entry[]): Steps<void> {
    if (entries.length === 1) yield* this.insert(table, entries[0]!);
    if (entries.length < 2) return;
    const rows = entries.map((entry) => columnsOf(table, entry));
    yield* step(() =>
      this.statements.copy(table.name, Object.keys(rows[0]!), rows.map(Object.values<string | number | Uint8Array>)),
    );
  }

  *replace<Entry, Field extends string>(table: Table<Entry, Field>, entry: Entry): Steps<void> {
    const row = columnsOf(table, entry);
    const key = keyOf(table);
    const sets = Object.keys(row).map((name, at) => `${name} = $${at + 1}`);
    const wheres = key.map((name, at) => `${name} = $${sets.length + at + 1}`);
    const sql = `UPDATE ${table.name} SET ${sets.join(', ')} WHERE ${wheres.join(' AND ')}`;
    yield* step(() => this.statements.run(sql, ...Object.values(row), ...key.map((name) => row[name]!)));
  }

  delete<Entry, Field extends string>(table: Table<Entry, Field>, range: Range<Field>): Steps<number> {
    const { dialect, values } = statement(table);
    const key = table.key.filter((field) => !(field in range.where)).map((field) => columnOf(table, field));
    const sql = `DELETE FROM ${table.name} WHERE ${deletedSql(table.name, key, range, dialect)}`;
    return step(() => this.statements.run(sql, ...values));
  }

  lock(...name: readonly string[]): Steps<void> {
    return step(() => advisoryLock(this.statements, ...name));
  }

  *now(): Steps<Micros> {
    return (yield* step(() => this.statements.row('SELECT store_time() AS time')))!['time'] as Micros;
  }
}

export type PostgresTableStore = TableStore<ReadTables, PostgresTables>;

/** The tables of a database, as the stores of entities ask for them. */
export function postgresTables(database: PostgresDatabase): PostgresTableStore {
  const reading = new PostgresReadTables(database);
  const write = <Result>(steps: (tables: PostgresTables) => Steps<Result>): Promise<Result> =>
    database.write((statements) => runInTurn(steps(new PostgresTables(statements))));
  return {
    read: (_, steps) => runInTurn(steps(reading)),
    write: (_, steps) => write(steps),
    async confirm(table, where) {
      if ((await runInTurn(reading.find(table, where))) === null) return null;
      // One that is on the primary alone, since the wait for its standby was cancelled or cut off by a crash, is waited for again: a lock
      // is written, and its commit comes after the entry's.
      return write((tables) => tables.find(table, where, 'deletion'));
    },
    newId: () => randomBytes(9).toString('base64url'),
  };
}

/** The same for what is kept in PostgreSQL's own way, within its transaction. */
export const keepIn =
  (keep: Keep): KeepChanges =>
  (statements, changes) =>
    runInTurn(keep(new PostgresTables(statements), changes));

/** Leaves no rows. */
export const keepNothing: KeepChanges = async () => undefined;

/** All columns of an entry. */
export function columnsOf<Entry, Field extends string>(table: Table<Entry, Field>, entry: Entry): Columns {
  const found: Record<string, string | number | Uint8Array> = {};
  for (const [field, value] of Object.entries<Value>(table.fieldsOf(entry))) {
    const column = columnOf(table, field);
    if (column !== null) found[column] = valueOf(value);
  }
  return table.value ? found : { ...found, entry: serialize(entry) };
}

/** The columns that are together unique. */
export const keyOf = <Entry, Field extends string>(table: Table<Entry, Field>): string[] =>
  table.key.map((field) => columnOf(table, field));

function valueOf(value: Value): string | number | Uint8Array {
  if (typeof value === 'string') return textKey(value);
  return Array.isArray(value)
    ? arrayLiteral((value as readonly string[]).map(textKey))
    : (value as number | Uint8Array);
}

function statement<Entry, Field extends string>(
  table: Table<Entry, Field>,
  prefix = '',
): { readonly dialect: Dialect; readonly values: SqlValue[] } {
  const values: SqlValue[] = [];
  const given = (value: string | number | readonly string[]): string => {
    const text = typeof value === 'string' ? textKey(value) : value;
    return `$${values.push(typeof text === 'object' ? text.map(textKey) : text)}`;
  };
  return {
    values,
    dialect: {
      column: (field) => prefix + columnOf(table, field),
      given,
      isAnyOf: (column, texts) => `${column} = ANY (${texts}::text[])`,
      has: (field, text) => (lists.has(field) ? `${snakeCase(field)} @> ${given([text] as never)}::text[]` : null),
    },
  };
}

/** The entry of a row that was read. */
export function entryOf<Entry, Field extends string>(table: Table<Entry, Field>, row: Row): Entry {
  if (table.value === undefined) return deserialize(row['entry'] as Uint8Array) as Entry;
  const fields = Object.entries(row).map(([column, value]) => [
    camelCase(column),
    // without what the driver's pool of memory holds beside it
    value instanceof Uint8Array ? Uint8Array.from(value) : value,
  ]);
  return Object.fromEntries(fields) as Entry;
}
