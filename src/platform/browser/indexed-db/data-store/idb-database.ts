import { StoreError } from '../../../../data-service/face/stores.ts';
import { abandon, beginTransaction, IdbOpening } from '../idb-opening.ts';
import { migrations, type DataSchema, type ReadTransaction, type StoreName, type WriteTransaction } from './schema.ts';

const largestGroup = 64;

interface Job {
  readonly work: (transaction: WriteTransaction) => Promise<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The one place that opens the database. Several tabs may have it open: the browser runs one writing transaction at a
 * time over a store, whichever tab it comes from.
 */
export class IdbDatabase {
  readonly #database: IdbOpening<DataSchema>;
  readonly #waiting = new Map<string, Job[]>();
  /** called when a transaction was undone: what was remembered from within it is void */
  onUndone: (transaction: WriteTransaction) => void = () => {};
  /** called when the database was let go, and may be gone: what was remembered of it is void */
  onLetGo: () => void = () => {};

  constructor(name: string) {
    this.#database = new IdbOpening(name, migrations, (error) => openingError(name, error));
    this.#database.onLetGo = () => this.onLetGo();
  }

  /** Runs `work` on one unchanging state. Within it only requests of the transaction may be awaited. */
  async read<T>(stores: readonly StoreName[], work: (transaction: ReadTransaction) => Promise<T>): Promise<T> {
    const transaction = (await this.#database.get()).transaction([...stores], 'readonly');
    try {
      return await work(transaction);
    } catch (error) {
      transaction.done.catch(() => {}); // the error is told already
      throw storeErrorOf(error);
    }
  }

  /** Runs `work` alone among all tabs: all of it is durable when the promise resolves, none if it rejects. */
  async write<T>(stores: readonly StoreName[], work: (transaction: WriteTransaction) => Promise<T>): Promise<T> {
    const database = await this.#database.get();
    const transaction = beginTransaction(database, stores, 'readwrite', { durability: 'strict' });
    try {
      const result = await work(transaction);
      await transaction.done;
      return result;
    } catch (error) {
      // a full disk shows at the commit: the requests say AbortError only
      const reason = transaction.error ?? error;
      await abandon(transaction);
      this.onUndone(transaction);
      throw storeErrorOf(reason);
    }
  }

  /**
   * `write` in one transaction with others that wait for the same stores, since a transaction costs more than what most
   * write in it. Where they fail together each is run again by itself, so that none takes another along.
   */
  writeTogether<T>(stores: readonly StoreName[], work: (transaction: WriteTransaction) => Promise<T>): Promise<T> {
    const key = stores.join();
    const waiting = this.#waiting.get(key);
    return new Promise<T>((resolve, reject) => {
      const job: Job = { work, resolve: resolve as (result: unknown) => void, reject };
      if (waiting) waiting.push(job);
      else void this.#writeAll(stores, key, [job]);
    });
  }

  async #writeAll(stores: readonly StoreName[], key: string, waiting: Job[]): Promise<void> {
    this.#waiting.set(key, waiting);
    await new Promise((resolve) => setTimeout(resolve)); // lets the writes of this moment gather
    while (waiting.length > 0) {
      const jobs = waiting.splice(0, largestGroup);
      const together = this.write(stores, async (transaction) => {
        const results: unknown[] = [];
        for (const { work } of jobs) results.push(await work(transaction));
        return results;
      });
      try {
        const results = await together;
        for (const [index, { resolve }] of jobs.entries()) resolve(results[index]);
      } catch (error) {
        if (jobs.length === 1) jobs[0]!.reject(error);
        else for (const { work, resolve, reject } of jobs) await this.write(stores, work).then(resolve, reject);
      }
    }
    this.#waiting.delete(key);
  }

  close(): Promise<void> {
    return this.#database.close();
  }
}

async function openingError(name: string, error: unknown): Promise<StoreError> {
  const { name: kind, message } = error as DOMException;
  if (kind === 'VersionError') {
    const found = (await indexedDB.databases()).find((database) => database.name === name)?.version ?? 0;
    // For this page it is so until it is another one: what waits to be sent may be tried again then.
    return new StoreError(
      'unavailable',
      `The data in this browser is in the form of a newer version of the app (schema ${found}; this page knows ${migrations.length}). Nothing is lost: reload this page; if it stays so, close all tabs of the app first.`,
      { cause: error },
    );
  }
  const known = storeErrorOf(error);
  if (known instanceof StoreError) return known;
  return new StoreError('unavailable', `This browser gives the page no storage: ${message}`, { cause: error });
}

/** The StoreError for an error that callers may act on; any other error as it is. */
function storeErrorOf(error: unknown): unknown {
  if (!(error instanceof DOMException)) return error;
  switch (error.name) {
    case 'QuotaExceededError':
      return new StoreError(
        'resource-exhausted',
        'The storage that this browser gives the page is full. Nothing of the call was kept.',
        { cause: error },
      );
    case 'InvalidStateError': // the connection was closed for a newer tab
    case 'AbortError':
    case 'UnknownError':
      return new StoreError('unavailable', `The browser's storage broke off: ${error.message}`, { cause: error });
    default:
      return error;
  }
}
