import { CaptureStoreError } from '../../../../evidence/capture/capture-store.ts';
import { abandon, beginTransaction, IdbOpening } from '../idb-opening.ts';
import {
  migrations,
  type CaptureSchema,
  type ReadTransaction,
  type StoreName,
  type WriteTransaction,
} from './schema.ts';

/** The one place that opens the database of captures. Tabs that have it open hear of each other's changes. */
export class CaptureDatabase {
  readonly #database: IdbOpening<CaptureSchema>;
  readonly #listeners = new Set<() => void>();
  #channel: BroadcastChannel | null = null;

  constructor(name: string) {
    this.#database = new IdbOpening(name, migrations, captureStoreError);
  }

  /** Runs `work` on one unchanging state. Within it only requests of the transaction may be awaited. @throws CaptureStoreError */
  async read<T>(stores: readonly StoreName[], work: (transaction: ReadTransaction) => Promise<T>): Promise<T> {
    try {
      const transaction = (await this.#database.get()).transaction([...stores], 'readonly');
      transaction.done.catch(() => {}); // told by the request that failed
      return await work(transaction);
    } catch (error) {
      throw captureStoreError(error);
    }
  }

  /** Runs `work` alone among all tabs: all of it is durable when the promise resolves, none if it rejects. @throws CaptureStoreError */
  async write<T>(stores: readonly StoreName[], work: (transaction: WriteTransaction) => Promise<T>): Promise<T> {
    const database = await this.#database.get();
    let transaction: WriteTransaction | null = null;
    try {
      transaction = beginTransaction(database, stores, 'readwrite', { durability: 'strict' });
      const result = await work(transaction);
      await transaction.done;
      this.#changed();
      return result;
    } catch (error) {
      // a full disk shows at the commit: the requests say AbortError only
      const reason = transaction?.error ?? error;
      if (transaction) await abandon(transaction);
      throw captureStoreError(reason);
    }
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    this.#hear();
    return () => this.#listeners.delete(listener);
  }

  close(): Promise<void> {
    this.#channel?.close();
    this.#channel = null;
    return this.#database.close();
  }

  #changed(): void {
    this.#hear().postMessage('changed');
    for (const listener of this.#listeners) listener();
  }

  #hear(): BroadcastChannel {
    if (this.#channel) return this.#channel;
    this.#channel = new BroadcastChannel(this.#database.name);
    this.#channel.onmessage = () => this.#listeners.forEach((listener) => listener());
    return this.#channel;
  }
}

function captureStoreError(error: unknown): unknown {
  if (!(error instanceof DOMException)) return error;
  const options = { cause: error };
  switch (error.name) {
    case 'QuotaExceededError':
      return new CaptureStoreError(
        'full',
        'The storage that this browser gives the page is full. Remove captures, or download this one.',
        options,
      );
    case 'VersionError':
      return new CaptureStoreError(
        'newer-schema',
        'The captures in this browser were kept by a newer version of Sightglass. Reload the page to get it.',
        options,
      );
    default:
      return new CaptureStoreError('unavailable', `The browser's storage broke off: ${error.message}`, options);
  }
}
