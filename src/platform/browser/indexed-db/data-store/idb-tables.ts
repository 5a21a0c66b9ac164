import type { Change } from '../../../../data-service/face/accounts.ts';
import type { Clock } from '../../../../data-service/face/hosts.ts';
import type { Micros } from '../../../../data-service/face/captures.ts';
import { byOrder, isInRange } from '../../../data-store/match-range.ts';
import { camelCase } from '../../../data-store/range-sql.ts';
import { joinBySteps } from '../../../data-store/join-by-steps.ts';
import { runInTurn, step, type Steps } from '../../../data-store/steps.ts';
import type {
  Keep,
  LastOfEach,
  Range,
  ReadTables,
  Reference,
  Scope,
  Table,
  TableStore,
  Value,
  Where,
  WriteTables,
} from '../../../data-store/tables.ts';
import { randomId } from '../../bytes/random-id.ts';
import type { IdbDatabase } from './idb-database.ts';
import { readRange, type RangeSource } from './read-range.ts';
import type { ReadTransaction, StoreName, WriteTransaction } from './schema.ts';

/** Adds rows to the audit for changes by one author, within the write that makes them, which holds `auditRows`. */
export type KeepChanges = (transaction: WriteTransaction, changes: readonly Change[]) => Promise<void>;

type Fields = Readonly<Record<string, Value>>;
type Key = string | number | (string | number)[];

/** The part of idb's object stores and indexes that is needed here, whatever is in them. */
interface Source extends RangeSource<unknown> {
  getAll(query: IDBKeyRange | null, count?: number): Promise<unknown[]>;
  getAllKeys(query: IDBKeyRange | null, count?: number): Promise<Key[]>;
  count(query: IDBKeyRange | null): Promise<number>;
}
interface Store extends Source {
  readonly keyPath: string | readonly string[] | null;
  getKey(query: Key): Promise<Key | undefined>;
  readonly indexNames: DOMStringList;
  index(name: string): Source;
  add(value: unknown, key?: Key): Promise<unknown>;
  put(value: unknown, key?: Key): Promise<unknown>;
  delete(query: Key): Promise<void>;
}

/** How entries stand in their store, where not as they are. */
interface Form {
  stored(entry: never, fields: Fields): unknown;
  entryOf(stored: never): unknown;
}
const forms: Readonly<Record<string, Form>> = {
  sequences: {
    stored: (sequence, { organizationId, datasetIds, timeCreated, id }) => ({
      sequence,
      members: (datasetIds as readonly string[]).map((datasetId) => [organizationId, datasetId, timeCreated, id]),
    }),
    entryOf: ({ sequence }: { readonly sequence: unknown }) => sequence,
  },
};
/** Indexes that are called otherwise than in the table. */
const indexNames: Readonly<Record<string, string>> = {
  audit_rows_object_id: 'object',
  label_comments_binary_data_id: 'image',
};
/** Names of transactions' scopes that stand for more than a table. */
const scopes: Readonly<Record<string, readonly StoreName[]>> = { binary_captures: ['binary', 'streams'] };

/** A range of keys. Not exact: of what is found some is not in the range that is asked for, which has another order. */
interface Found {
  readonly source: Source;
  readonly keys: readonly (IDBKeyRange | null)[];
  readonly isExact: boolean;
}

/** Entries in object stores, within one transaction. */
export class IdbTables implements WriteTables {
  readonly transaction: WriteTransaction;
  readonly #clock: Clock;

  constructor(transaction: ReadTransaction | WriteTransaction, clock: Clock) {
    this.transaction = transaction as WriteTransaction;
    this.#clock = clock;
  }

  *find<Entry, Field extends string>(table: Table<Entry, Field>, where: Where<Field>): Steps<Entry | null> {
    return (yield* this.list(table, { where, limit: 1 }))[0] ?? null;
  }

  list<Entry, Field extends string>(table: Table<Entry, Field>, range: Range<Field>): Steps<readonly Entry[]> {
    return step(() => this.#list(table, range));
  }

  count<Entry, Field extends string>(table: Table<Entry, Field>, where: Where<Field>): Steps<number> {
    return step(async () => {
      const { source, keys, isExact } = this.#rangeOf(table, { where });
      if (!isExact) return (await this.#list(table, { where })).length;
      const counts = await Promise.all(keys.map((each) => source.count(each)));
      return counts.reduce((sum, count) => sum + count, 0);
    });
  }

  lastOfEach<Entry, Field extends string>(
    table: Table<Entry, Field>,
    { where, by, order, limit }: LastOfEach<Field>,
  ): Steps<readonly Entry[]> {
    return step(async () => {
      const found: Entry[] = [];
      for (let after: string | undefined; found.length < limit;) {
        const beyond = after === undefined ? {} : { after: [after] };
        const [next] = await this.#list(table, { where, order: [by, ...order], ...beyond, limit: 1 });
        if (next === undefined) break;
        after = table.fieldsOf(next)[by] as string;
        const own = { ...where, [by]: after } as Where<Field>;
        found.push((await this.#list(table, { where: own, order, descending: true, limit: 1 }))[0]!);
      }
      return found;
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
    return step(async () => {
      const store = this.#store(table);
      if ((await store.getKey(primaryKey(store, table, entry))) !== undefined) return false;
      await put(store, table, entry, 'add');
      return true;
    });
  }

  insertAll<Entry, Field extends string>(table: Table<Entry, Field>, entries: readonly Entry[]): Steps<void> {
    return step(async () => {
      const store = this.#store(table);
      await Promise.all(entries.map((entry) => put(store, table, entry, 'add')));
    });
  }

  replace<Entry, Field extends string>(table: Table<Entry, Field>, entry: Entry): Steps<void> {
    return step(() => put(this.#store(table), table, entry, 'put'));
  }

  delete<Entry, Field extends string>(table: Table<Entry, Field>, range: Range<Field>): Steps<number> {
    return step(async () => {
      const store = this.#store(table);
      const { source, keys, isExact } = this.#rangeOf(table, range);
      const most = isExact ? range.limit : undefined;
      let gone = (await Promise.all(keys.map((each) => source.getAllKeys(each, most)))).flat();
      if (!isExact) {
        const entries = await this.#entries(table, source, keys);
        gone = gone.filter((_, at) => isInRange(table, range, entries[at]!)).slice(0, range.limit);
      }
      await Promise.all(gone.map((key) => store.delete(key)));
      return gone.length;
    });
  }

  lock(): Steps<void> {
    return step(() => undefined); // the browser runs one writing transaction at a time over a store
  }

  now(): Steps<Micros> {
    return step(() => this.#clock.now());
  }

  #store({ name }: { readonly name: string }): Store {
    return this.transaction.objectStore(camelCase(name) as StoreName) as unknown as Store;
  }

  async #list<Entry, Field extends string>(table: Table<Entry, Field>, range: Range<Field>): Promise<Entry[]> {
    const { source, keys, isExact } = this.#rangeOf(table, range);
    const { descending = false, limit } = range;
    if (isExact && keys.length === 1 && keys[0] && limit !== undefined && table.value === undefined) {
      const stored = await readRange(source, keys[0], descending ? 'descending' : 'ascending', limit);
      return stored.map((one) => entryOf(table, one));
    }
    const found = await this.#entries(table, source, keys);
    const inRange = isExact ? found : found.filter((entry) => isInRange(table, range, entry));
    return inRange.sort(byOrder(table, range)).slice(0, limit);
  }

  async #entries<Entry, Field extends string>(
    table: Table<Entry, Field>,
    source: Source,
    keys: Found['keys'],
  ): Promise<Entry[]> {
    const found = keys.map(async (each) => {
      const names = table.value ? source.getAllKeys(each) : []; // such values do not hold their key
      const [stored, own] = await Promise.all([source.getAll(each), names]);
      return stored.map((one, at) => entryOf(table, one, own[at]));
    });
    return (await Promise.all(found)).flat();
  }

  #rangeOf<Entry, Field extends string>(table: Table<Entry, Field>, range: Range<Field>): Found {
    const store = this.#store(table);
    const where: Where<string> = range.where;
    const order: readonly string[] = range.order ?? [];
    const named = (name: string): string => indexNames[`${table.name}_${name}`] ?? camelCase(name);
    const all = { '': keyFields(store, table), ...table.indexes };
    const fitting = Object.entries(all).flatMap(([name, fields]) => {
      if (name !== '' && !store.indexNames.contains(named(name))) return [];
      const end = fields.findIndex((field) => !(field in where));
      const count = end < 0 ? fields.length : end;
      const fits = order.every((field, at) => fields[count + at] === field);
      return fits && (range.index ?? name) === name ? [{ name, fields, count, isWhole: end < 0 }] : [];
    });
    const best = fitting.sort((a, b) => Number(b.isWhole) - Number(a.isWhole) || b.count - a.count)[0];
    if (best === undefined) return { source: store, keys: [null], isExact: false };
    const { name, fields, count } = best;
    const given = fields.slice(0, count);
    return {
      source: name === '' ? store : store.index(named(name)),
      keys: prefixes(given, where).flatMap((prefix) => keyRanges(prefix, fields.length - count, range)),
      isExact: Object.keys(where).every((field) => given.includes(field)),
    };
  }
}

/** The tables of a database, as the stores of entities ask for them. */
export function idbTables(database: IdbDatabase, clock: Clock): TableStore<ReadTables, IdbTables> {
  const storesOf = (scope: Scope): StoreName[] =>
    scope.flatMap(({ name }) => scopes[name] ?? [camelCase(name) as StoreName]);
  const read: TableStore['read'] = (scope, steps) =>
    database.read(storesOf(scope), (transaction) => runInTurn(steps(new IdbTables(transaction, clock))));
  return {
    read,
    write: (scope, steps) =>
      database.write(storesOf(scope), (transaction) => runInTurn(steps(new IdbTables(transaction, clock)))),
    confirm: (table, where) => read([table], (tables) => tables.find(table, where)),
    newId: randomId,
  };
}

/** The same for what is kept in IndexedDB's own way, within its transaction. */
export const keepIn =
  (keep: Keep, clock: Clock): KeepChanges =>
  (transaction, changes) =>
    runInTurn(keep(new IdbTables(transaction, clock), changes));

async function put<Entry, Field extends string>(
  store: Store,
  table: Table<Entry, Field>,
  entry: Entry,
  how: 'add' | 'put',
): Promise<void> {
  const fields: Fields = table.fieldsOf(entry);
  const stored = table.value ? fields[table.value] : (forms[table.name]?.stored(entry as never, fields) ?? entry);
  await store[how](stored, store.keyPath === null ? primaryKey(store, table, entry) : undefined);
}

function entryOf<Entry, Field extends string>(table: Table<Entry, Field>, stored: unknown, key?: Key): Entry {
  if (table.value === undefined) return (forms[table.name]?.entryOf(stored as never) ?? stored) as Entry;
  const parts = [key].flat();
  return { ...Object.fromEntries(table.key.map((field, at) => [field, parts[at]])), [table.value]: stored } as Entry;
}

/** The fields of a store's own key. */
const keyFields = ({ keyPath }: Store, table: Pick<Table<never>, 'key'>): readonly string[] =>
  keyPath === null ? table.key : [keyPath].flat().map((path) => path.split('.').at(-1)!);

function primaryKey<Entry, Field extends string>(store: Store, table: Table<Entry, Field>, entry: Entry): Key {
  const fields: Fields = table.fieldsOf(entry);
  const parts = keyFields(store, table).map((field) => fields[field] as string | number);
  return parts.length === 1 ? parts[0]! : parts;
}

/** How keys begin that have these fields: a key for each of several values. */
function prefixes(fields: readonly string[], where: Where<string>): (string | number)[][] {
  return fields.reduce<(string | number)[][]>(
    (found, field) => {
      const values = [where[field]!].flat();
      return found.flatMap((prefix) => values.map((value) => [...prefix, ...keyParts(field, value)]));
    },
    [[]],
  );
}

/** An actor is two parts of a key: kind and id. */
function keyParts(field: string, value: string | number): (string | number)[] {
  if (field !== 'actor') return [value];
  const [kind = '', ...id] = String(value).split(':');
  return [kind, id.join(':')];
}

/**
 * The keys of a range that begin with `prefix`: none or one range of them, null: all keys.
 * @param rest how many fields keys have beyond the prefix
 */
function keyRanges<Field extends string>(
  prefix: readonly (string | number)[],
  rest: number,
  { order = [], from, after, upTo, before }: Range<Field>,
): (IDBKeyRange | null)[] {
  const isPlain = prefix.length + rest === 1; // such keys are no arrays
  if (rest === 0) return [IDBKeyRange.only(isPlain ? prefix[0] : prefix)];
  const keyOf = (values: readonly (string | number)[], isEnd: boolean): IDBValidKey | undefined => {
    if (isPlain) return values[0];
    const parts = [...prefix, ...values.flatMap((value, at) => keyParts(order[at]!, value))];
    return isEnd && values.length < rest ? [...parts, []] : parts; // an array sorts after every number and text
  };
  const lower = after ? keyOf(after, true) : keyOf(from ?? [], false);
  const upper = before ? keyOf(before, false) : keyOf(upTo ?? [], true);
  const [isAfter, isBefore] = [after !== undefined, before !== undefined];
  if (lower === undefined && upper === undefined) return [null];
  if (lower === undefined) return [IDBKeyRange.upperBound(upper, isBefore)];
  if (upper === undefined) return [IDBKeyRange.lowerBound(lower, isAfter)];
  const sign = indexedDB.cmp(lower, upper);
  return sign > 0 || (sign === 0 && (isAfter || isBefore)) ? [] : [IDBKeyRange.bound(lower, upper, isAfter, isBefore)];
}
