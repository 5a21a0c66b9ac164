import { inOrderOfNames, type QueryCollection, type CollectedQuery, type Undo } from './query-collection.ts';

/** The part of Storage that queries are kept in. */
export type QueryStorage = Pick<Storage, 'length' | 'key' | 'getItem' | 'setItem' | 'removeItem'>;

/** This browser could not save a query, or does not have it. Nothing that was saved before has changed. */
class BrowserQueryError extends Error {
  override readonly name = 'BrowserQueryError';
  readonly code: 'full' | 'refused' | 'name-taken' | 'gone';
  constructor(code: BrowserQueryError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

const keyPrefix = 'sightglass:sql-query:';

/**
 * SQL queries saved in this browser, because the data service saves MQL only. Every query is its own storage entry, so
 * that two browser tabs that save at the same time do not overwrite each other.
 */
export class BrowserQueries implements QueryCollection {
  readonly language = 'sql';
  readonly #open: () => QueryStorage;
  queries = $state.raw<readonly CollectedQuery[]>([]);

  /** `open` may throw, as where a browser forbids storage: then the list is empty, and saving fails with the reason. */
  constructor(open: () => QueryStorage) {
    this.#open = open;
    this.#list();
  }

  /** Reads the queries again: another browser tab may have changed them. */
  async read(): Promise<void> {
    this.#list();
  }

  async save(name: string, text: string): Promise<Undo> {
    const storage = this.#writable();
    const before = storage.getItem(keyPrefix + name);
    this.#write(storage, name, text);
    return async () => {
      if (before === null) this.#remove(this.#writable(), name);
      else this.#write(this.#writable(), name, before);
    };
  }

  async rename(query: CollectedQuery, name: string): Promise<Undo> {
    this.#move(query.name, name);
    return async () => this.#move(name, query.name);
  }

  async delete({ name }: CollectedQuery): Promise<Undo> {
    const storage = this.#writable();
    const text = storage.getItem(keyPrefix + name);
    this.#remove(storage, name);
    return async () => {
      // Another browser tab has deleted it already, so there is nothing to restore.
      if (text === null) return;
      this.#requireFree(this.#writable(), name);
      this.#write(this.#writable(), name, text);
    };
  }

  #move(from: string, to: string): void {
    const storage = this.#writable();
    const text = storage.getItem(keyPrefix + from);
    if (text === null) {
      this.#list();
      throw new BrowserQueryError('gone', `“${from}” is no longer kept; it was renamed or deleted in another tab.`);
    }
    this.#requireFree(storage, to);
    this.#write(storage, to, text); // before the old entry is removed: if writing fails, the query is still stored
    this.#remove(storage, from);
  }

  #requireFree(storage: QueryStorage, name: string): void {
    if (storage.getItem(keyPrefix + name) !== null)
      throw new BrowserQueryError('name-taken', `There is a query “${name}” already; choose another name.`);
  }

  #write(storage: QueryStorage, name: string, text: string): void {
    try {
      storage.setItem(keyPrefix + name, text);
    } catch (error) {
      throw writeError(name, error);
    }
    this.#list();
  }

  #remove(storage: QueryStorage, name: string): void {
    storage.removeItem(keyPrefix + name);
    this.#list();
  }

  #writable(): QueryStorage {
    try {
      return this.#open();
    } catch (error) {
      throw new BrowserQueryError(
        'refused',
        'This browser does not let the page store anything: allow it, or copy a link to the query.',
        { cause: error },
      );
    }
  }

  #list(): void {
    this.queries = inOrderOfNames(readAll(this.#open));
  }
}

function readAll(open: () => QueryStorage): CollectedQuery[] {
  try {
    const storage = open();
    const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index));
    return keys.flatMap((key) => {
      if (!key?.startsWith(keyPrefix)) return [];
      const text = storage.getItem(key);
      const name = key.slice(keyPrefix.length);
      return text === null ? [] : [{ id: name, name, text, summary: text.trim().replace(/\s+/g, ' ').slice(0, 120) }];
    });
  } catch {
    return []; // no storage: `save` reports the reason
  }
}

function writeError(name: string, error: unknown): BrowserQueryError {
  const full = (error as Partial<DOMException>).name === 'QuotaExceededError';
  return full
    ? new BrowserQueryError(
        'full',
        `The browser has no room left for “${name}”: delete a saved query, or copy a link to this one.`,
        { cause: error },
      )
    : new BrowserQueryError('refused', `The browser did not keep “${name}”: ${(error as Error).message}`, {
        cause: error,
      });
}
