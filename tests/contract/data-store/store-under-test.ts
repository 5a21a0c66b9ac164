import type { DataStore } from '../../../src/data-service/ports/data-store.ts';

/** An empty store for one test. */
export interface StoreUnderTest {
  readonly store: DataStore;
  /** Opens the same data once more, as another process or tab would; null for a store that dies with its process. */
  readonly openAgain: (() => Promise<DataStore>) | null;
  /** Closes all and removes the data. */
  close(): Promise<void>;
}

export type Subject = () => StoreUnderTest;
