import type { DataStore } from '../../../src/data-service/ports/data-store.ts';

/** An empty store for one test. */
export interface StoreUnderTest {
  readonly store: DataStore;
  /** Opens the same data again, like another process or tab; null for a store in memory. */
  readonly openAgain: (() => Promise<DataStore>) | null;
  /** Closes the store and removes its data. */
  close(): Promise<void>;
}

export type Subject = () => StoreUnderTest;
