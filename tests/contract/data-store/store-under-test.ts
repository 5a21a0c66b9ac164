import type { Micros } from '../../../src/data-service/ports/stored-captures.ts';
import type { DataStore } from '../../../src/data-service/ports/data-store.ts';

/** An empty store for one test. */
export interface StoreUnderTest {
  readonly store: DataStore;
  /** Opens the same data again, like another process or tab; null for a store in memory. */
  readonly openAgain: (() => Promise<DataStore>) | null;
  /** Sets the time of the store, for all who have it open. */
  setTime(now: Micros): Promise<void>;
  /** Closes the store and removes its data. */
  close(): Promise<void>;
}

/** A clock for stores that go by their host's, which stands until it is set. */
export function standingClock(now: Micros) {
  const setTime = async (time: Micros): Promise<void> => {
    now = time;
  };
  return { clock: { now: () => now }, setTime };
}

export type Subject = () => StoreUnderTest;
