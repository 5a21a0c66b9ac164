import type { Micros } from './stored-captures.ts';
import type { Position } from './capture-filter.ts';

/** The last file that a check of all files has read: it continues after this one. */
export interface CheckPosition extends Position {
  readonly organizationId: string;
}

/** The progress of a host's check of all files, stored beside its data. */
export interface CheckState {
  /** null: at the beginning */
  readonly after: CheckPosition | null;
  /** when the previous check ended; null: this check has not ended yet */
  readonly timeEnded: Micros | null;
  /** the ids of files that were found damaged */
  readonly damaged: readonly string[];
}

export const firstCheckState: CheckState = { after: null, timeEnded: null, damaged: [] };

export interface KeptCheckState {
  /** Reads the progress; if none can be read, the start of a first check. */
  read(): Promise<CheckState>;
  write(state: CheckState): Promise<void>;
}
