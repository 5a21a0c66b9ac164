import type { DataStore, KeptCheckState } from '../../data-service/face/stores.ts';
import type { StartQueryWorker } from '../../data-service/face/query-engine.ts';
import type { OpenDataStore } from '../../platform/node/sqlite-data-store/open-sqlite-data-store.ts';
import type { ClockWatch } from '../../server/storage/clock-watch.ts';
import type { KeptStorage } from '../../server/storage/keep-storage.ts';

/** A store that `serve` serves, with what a host does for it beside its calls. */
export interface ServedStore extends Pick<OpenDataStore, 'takeUpIndexes' | 'waitingIndexRows'> {
  /** the words for a person, without secrets */
  readonly name: string;
  /** the store, which takes as much as there is room for */
  readonly store: DataStore;
  readonly startWorker: StartQueryWorker;
  readonly clockWatch: ClockWatch;
  readonly checkState: KeptCheckState;
  /** how fast files are compared with what was stored, unless a person says it; 0: not at all */
  readonly checkBytesPerSecond: number;
  /** deletes what the rules say; null: they say nothing */
  readonly keep: KeptStorage['keep'] | null;
  /** null: the room is bounded elsewhere */
  readonly storage: KeptStorage | null;
  /** why the store cannot be used, in words; absent: what it says when it is asked */
  readonly storeTrouble?: () => Promise<string | null>;
  /** how many calls wait for the database */
  waitingCalls(): number;
  /** Tells others of this machine where it is served. */
  tellAddress(address: string): Promise<void>;
  /** Finishes the calls under way; no call may follow. */
  close(): Promise<void>;
}

const isBundle = import.meta.url.endsWith('.js');

/** The built thread beside the built command line; undefined: the source. */
export const queryThread = isBundle ? new URL('./query-worker-thread.js', import.meta.url) : undefined;
