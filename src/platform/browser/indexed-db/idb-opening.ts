import { openDB, type IDBPDatabase, type IDBPTransaction, type StoreNames } from 'idb';

/** `migrations[n]` takes a database from version n to n + 1. What was published is never edited. */
export type Migration<Schema> = (
  database: IDBPDatabase<Schema>,
  upgrade: IDBPTransaction<Schema, StoreNames<Schema>[], 'versionchange'>,
) => unknown;

/** A database that is opened with its first use, brought to this code's version, and again after it was let go. */
export class IdbOpening<Schema> {
  readonly name: string;
  readonly #migrations: readonly Migration<Schema>[];
  readonly #errorOf: (error: unknown) => unknown;
  #opening: Promise<IDBPDatabase<Schema>> | undefined;
  /** called when the database was let go for another tab, or by the browser: it may be gone, and what is remembered of it */
  onLetGo: () => void = () => {};

  /** `errorOf`: what callers are told where it does not open. */
  constructor(name: string, migrations: readonly Migration<Schema>[], errorOf: (error: unknown) => unknown) {
    this.name = name;
    this.#migrations = migrations;
    this.#errorOf = errorOf;
  }

  get(): Promise<IDBPDatabase<Schema>> {
    const forget = (): void => {
      this.#opening = undefined;
    };
    const letGo = (): void => {
      forget();
      this.onLetGo();
    };
    const migrations = this.#migrations;
    let upgrading: { readonly error: DOMException | null } | undefined;
    // async: where storage is blocked, asking for it throws at once
    const open = async (): Promise<IDBPDatabase<Schema>> =>
      openDB<Schema>(this.name, migrations.length, {
        upgrade(database, oldVersion, _, transaction) {
          upgrading = transaction;
          transaction.done.catch(() => undefined); // told below
          const migrateAll = async (): Promise<void> => {
            for (const migrate of migrations.slice(oldVersion)) await migrate(database, transaction);
          };
          void migrateAll().catch(() => abandon(transaction));
        },
        // a tab with newer code waits for this one to let go; the next call here is told of the newer version
        blocking(_current, _blocked, event) {
          letGo();
          (event.target as IDBDatabase).close();
        },
        terminated: letGo,
      });
    this.#opening ??= open().catch(async (error: unknown) => {
      forget();
      // the request says only that the upgrade was aborted; its transaction knows why: a full disk, say
      throw await this.#errorOf(upgrading?.error ?? error);
    });
    return this.#opening;
  }

  async close(): Promise<void> {
    const opening = this.#opening;
    this.#opening = undefined;
    (await opening?.catch(() => undefined))?.close();
  }
}

/**
 * Begins a transaction. After one that had no room, Firefox begins one that can only delete (its mode is "cleanup", and a put throws
 * an InvalidStateError), so that what has room would not be kept either: another is begun in its place.
 */
export function beginTransaction<
  Schema,
  Names extends readonly StoreNames<Schema>[],
  Mode extends 'readonly' | 'readwrite',
>(
  database: IDBPDatabase<Schema>,
  stores: Names,
  mode: Mode,
  options?: IDBTransactionOptions,
): IDBPTransaction<Schema, [...Names], Mode> {
  const begin = () => database.transaction([...stores], mode, options);
  const transaction = begin();
  if ((transaction.mode as string) !== 'cleanup') return transaction;
  void abandon(transaction);
  return begin();
}

/** Nothing of the transaction is kept. */
export async function abandon(transaction: { abort(): void; readonly done: Promise<void> }): Promise<void> {
  try {
    transaction.abort();
  } catch {
    // ended already
  }
  await transaction.done.catch(() => undefined);
}
