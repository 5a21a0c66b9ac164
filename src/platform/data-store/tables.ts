import type { Actor, Change } from '../../data-service/face/accounts.ts';
import type { Micros } from '../../data-service/face/captures.ts';
import type { Steps } from './steps.ts';
import type { Summing } from './call-rows.ts';

/** The value of an entry's field: a list is of texts by each of which the entry is found. */
export type Value = string | number | Uint8Array | readonly string[];

/** Entries of one kind, and by what they are found. Each engine keeps its own names for them (`sqlite-tables.ts` and so on). */
export interface Table<Entry, Field extends string = string> {
  /** in snake_case */
  readonly name: string;
  /** together unique */
  readonly key: readonly string[];
  readonly fieldsOf: (entry: Entry) => Readonly<Record<Field, Value>>;
  /** by name, in snake_case: the fields in order, those that are asked for by equality first. The key is one by itself. */
  readonly indexes?: Readonly<Record<string, readonly string[]>>;
  /** where the fields are all that an entry has: the one beside the key */
  readonly value?: string;
}

/** Fields by their value; several texts: any of them. Of a list: one that it has. */
export type Where<Field extends string> = Readonly<Partial<Record<Field, string | number | readonly string[]>>>;

/** A range of an index: the values are of the first fields of `order`. */
export interface Range<Field extends string> {
  readonly where: Where<Field>;
  /** The index to read where several would do, the key as ''. What of `where` it does not have is asked of each entry. */
  readonly index?: string;
  readonly order?: readonly Field[];
  readonly descending?: boolean;
  /** the lowest ones are equal to it, or beyond it */
  readonly from?: readonly (string | number)[];
  readonly after?: readonly (string | number)[];
  /** the highest ones are equal to it, or before it */
  readonly upTo?: readonly (string | number)[];
  readonly before?: readonly (string | number)[];
  readonly limit?: number;
}

/** That a field of entries is the id of another entry. */
export interface Reference {
  readonly by: string;
  readonly table: Table<never>;
}

/** For each value of the field `by` the last entry in `order`, up to `limit` values. An index has `where`, `by` and `order`, so ordered. */
export interface LastOfEach<Field extends string> {
  readonly where: Where<Field>;
  readonly by: Field;
  readonly order: readonly Field[];
  readonly limit: number;
}

/** To the end of the write: `change` from everyone, `deletion` from those who would change or delete. Only hosts that write at once wait. */
export type Lock = 'change' | 'deletion';

/** A state of the tables that does not change between steps of a write. */
export interface ReadTables {
  find<Entry, Field extends string>(
    table: Table<Entry, Field>,
    where: Where<NoInfer<Field>>,
    lock?: Lock,
  ): Steps<Entry | null>;
  /** In no certain order, where `range` has none. With a lock: in the order of the key, in which all writes lock. */
  list<Entry, Field extends string>(
    table: Table<Entry, Field>,
    range: Range<NoInfer<Field>>,
    lock?: Lock,
  ): Steps<readonly Entry[]>;
  count<Entry, Field extends string>(table: Table<Entry, Field>, where: Where<NoInfer<Field>>): Steps<number>;
  /**
   * In the order of the values. It reads an index from each value to the next, whatever number of entries they have.
   */
  lastOfEach<Entry, Field extends string>(
    table: Table<Entry, Field>,
    asked: LastOfEach<NoInfer<Field>>,
  ): Steps<readonly Entry[]>;
  /**
   * Entries with those that they refer to: each of `path` is what a field of the one before it names. An entry without them is left out.
   * A lock is on the first.
   */
  join<Entry, Field extends string>(
    table: Table<Entry, Field>,
    where: Where<NoInfer<Field>>,
    path: readonly Reference[],
    lock?: Lock,
  ): Steps<readonly (readonly unknown[])[]>;
}

/** All of a write is kept, or nothing. */
export interface WriteTables extends ReadTables {
  /** Whether it is there now; false: its key was there already, and is as it was. */
  insert<Entry, Field extends string>(table: Table<Entry, Field>, entry: Entry): Steps<boolean>;
  /** Inserts entries whose keys are new. */
  insertAll<Entry, Field extends string>(table: Table<Entry, Field>, entries: readonly Entry[]): Steps<void>;
  /** Writes the entry over the one of its key, which is there. */
  replace<Entry, Field extends string>(table: Table<Entry, Field>, entry: Entry): Steps<void>;
  /** How many there were. */
  delete<Entry, Field extends string>(table: Table<Entry, Field>, range: Range<NoInfer<Field>>): Steps<number>;
  /** Lets no other write pass that locks the same name, until the end of this one. Nothing to do where one process writes at a time. */
  lock(...name: readonly string[]): Steps<void>;
  /** The time of the store. */
  now(): Steps<Micros>;
}

/** The scope of a transaction: tables, or names that stand for what an engine keeps its own way. */
export type Scope = readonly { readonly name: string }[];

/**
 * The tables of a store. `Reading` and `Writing` are an engine's own, so that what it keeps its own way is part of the same transaction.
 */
export interface TableStore<Reading extends ReadTables = ReadTables, Writing extends WriteTables = WriteTables> {
  /** Runs one step. */
  read<Result>(scope: Scope, steps: (tables: Reading) => Steps<Result>): Promise<Result>;
  /** Runs steps alone: durable when the promise resolves, undone if it rejects. They may run again where others were in the way. */
  write<Result>(scope: Scope, steps: (tables: Writing) => Steps<Result>): Promise<Result>;
  /** An entry whose reader acknowledges it: when the promise resolves it is durable wherever the store waits for that. */
  confirm<Entry, Field extends string>(table: Table<Entry, Field>, where: Where<NoInfer<Field>>): Promise<Entry | null>;
  /** Part of the ids of rows in the audit: no two are alike. */
  newId(): string;
}

/** Adds rows to the audit for changes, within the write that makes them. */
export type Keep = (tables: WriteTables, changes: readonly Change[]) => Steps<void>;

/** By whom changes are made, null: they leave no rows; and what is summed. */
export interface Author {
  readonly actor: Actor | null;
  readonly summing: Summing;
}
