import type { Clock } from '../../src/data-service/ports/clock.ts';
import type { Micros } from '../../src/data-service/ports/stored-captures.ts';
import { byOrder, isInRange } from '../../src/platform/data-store/match-range.ts';
import { joinBySteps } from '../../src/platform/data-store/join-by-steps.ts';
import { runNow, step, type Steps } from '../../src/platform/data-store/steps.ts';
import type {
  LastOfEach,
  Range,
  Reference,
  Table,
  TableStore,
  Value,
  Where,
  WriteTables,
} from '../../src/platform/data-store/tables.ts';

type Fields = Readonly<Record<string, Value>>;

/** Tables as maps by key, in the order of adding. Ranges are found by filtering and sorting. */
export class MemoryTables implements WriteTables {
  readonly #tables = new Map<string, Map<string, unknown>>();
  readonly #clock: Clock;
  #undo: (() => void)[] = [];
  #ids = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** What a write has changed is undone where it throws. */
  write<Result>(steps: (tables: WriteTables) => Steps<Result>): Result {
    this.#undo = [];
    try {
      return runNow(steps(this));
    } catch (error) {
      for (const undo of this.#undo.reverse()) undo();
      throw error;
    }
  }

  newId(): string {
    return `audit-${String(++this.#ids).padStart(9, '0')}`;
  }

  /** Every entry, in the order of adding. */
  all<Entry, Field extends string>(table: Table<Entry, Field>): Entry[] {
    return [...this.#of(table).values()];
  }

  *find<Entry, Field extends string>(table: Table<Entry, Field>, where: Where<Field>): Steps<Entry | null> {
    return (yield* this.list(table, { where }))[0] ?? null;
  }

  list<Entry, Field extends string>(table: Table<Entry, Field>, range: Range<Field>): Steps<readonly Entry[]> {
    return step(() => this.#found(table, range).map(([, entry]) => entry));
  }

  *count<Entry, Field extends string>(table: Table<Entry, Field>, where: Where<Field>): Steps<number> {
    return (yield* this.list(table, { where })).length;
  }

  lastOfEach<Entry, Field extends string>(
    table: Table<Entry, Field>,
    { where, by, order, limit }: LastOfEach<Field>,
  ): Steps<readonly Entry[]> {
    const inOrder = this.#found(table, { where, order: [by, ...order] }).map(([, entry]) => entry);
    const last = new Map(inOrder.map((entry) => [table.fieldsOf(entry)[by], entry]));
    return step(() => [...last.values()].slice(0, limit));
  }

  join<Entry, Field extends string>(
    table: Table<Entry, Field>,
    where: Where<Field>,
    path: readonly Reference[],
  ): Steps<readonly (readonly unknown[])[]> {
    return joinBySteps(this, table, where, path);
  }

  insert<Entry, Field extends string>(table: Table<Entry, Field>, entry: Entry): Steps<boolean> {
    return step(() => {
      if (this.#of(table).has(keyOf(table, entry))) return false;
      this.#set(table, keyOf(table, entry), entry);
      return true;
    });
  }

  *insertAll<Entry, Field extends string>(table: Table<Entry, Field>, entries: readonly Entry[]): Steps<void> {
    for (const entry of entries) yield* this.insert(table, entry);
  }

  replace<Entry, Field extends string>(table: Table<Entry, Field>, entry: Entry): Steps<void> {
    return step(() => this.#set(table, keyOf(table, entry), entry));
  }

  delete<Entry, Field extends string>(table: Table<Entry, Field>, range: Range<Field>): Steps<number> {
    return step(() => {
      const found = this.#found(table, range);
      for (const [key] of found) this.#set(table, key, undefined);
      return found.length;
    });
  }

  lock(): Steps<void> {
    return step(() => undefined); // one write at a time
  }

  now(): Steps<Micros> {
    return step(() => this.#clock.now());
  }

  #of<Entry, Field extends string>({ name }: Table<Entry, Field>): Map<string, Entry> {
    const found = this.#tables.get(name) ?? new Map<string, unknown>();
    this.#tables.set(name, found);
    return found as Map<string, Entry>;
  }

  #set<Entry, Field extends string>(table: Table<Entry, Field>, key: string, entry: Entry | undefined): void {
    const entries = this.#of(table);
    const former = entries.get(key);
    const put = (one: Entry | undefined): unknown => (one === undefined ? entries.delete(key) : entries.set(key, one));
    this.#undo.push(() => put(former));
    put(entry);
  }

  #found<Entry, Field extends string>(table: Table<Entry, Field>, range: Range<Field>): [string, Entry][] {
    const compare = byOrder(table, range);
    return [...this.#of(table)]
      .filter(([, entry]) => isInRange(table, range, entry))
      .sort(([, a], [, b]) => compare(a, b))
      .slice(0, range.limit);
  }
}

/** The tables of a store in memory. */
export const memoryTables = (tables: MemoryTables): TableStore => ({
  read: async (_, steps) => runNow(steps(tables)),
  write: async (_, steps) => tables.write(steps),
  confirm: async (table, where) => runNow(tables.find(table, where)),
  newId: () => tables.newId(),
});

function keyOf<Entry, Field extends string>(table: Table<Entry, Field>, entry: Entry): string {
  const fields: Fields = table.fieldsOf(entry);
  return JSON.stringify(table.key.map((field) => fields[field]));
}
