import type { Micros } from './capture.ts';
import type { Position } from './capture-filter.ts';

/** How far a check of all files has come: it goes on behind this file. */
export interface CheckPosition extends Position {
  readonly organizationId: string;
}

/** What a host remembers of its check of all files, kept beside its data. */
export interface CheckState {
  /** null: at the beginning */
  readonly after: CheckPosition | null;
  /** when the former check came to its end; null: this one goes on */
  readonly timeEnded: Micros | null;
  /** the ids of files that were found damaged */
  readonly damaged: readonly string[];
}

export interface KeptCheckState {
  /** The beginning of a first check where nothing is kept that can be read. */
  read(): Promise<CheckState>;
  write(state: CheckState): Promise<void>;
}
