import type { DataStore } from '../ports/data-store.ts';
import type { InstallationRows } from '../ports/installation-rows.ts';

/** A store that keeps a whole installation. */
export interface MovedStore extends DataStore {
  readonly rows: InstallationRows;
}

/** Where the words of a move go. */
export interface MoveReport {
  /** how far it is, for a person */
  say(text: string): void;
  /** a result, as one object */
  print(result: object): void;
}
