import type { FootageFrame } from '../../evidence/footage/footage-frame.ts';
import type { RunSetup } from '../../evidence/footage/run-setup.ts';
import { BrowserStoreError } from './browser-store-error.ts';

// Port of the page to the results of runs over footage. Implemented in platform/browser, handed over by main.ts.

/** The error where frames that were kept are not there any more. */
export const runIsGone = (): BrowserStoreError =>
  new BrowserStoreError('unavailable', 'The results of this run are gone from this browser: run it again.');

/** A run whose results are kept, as far as it came. */
export interface KeptRun {
  readonly id: string;
  /** fingerprint of the footage, as its reader says it */
  readonly fingerprint: string;
  readonly setup: RunSetup;
  /** how many frames are there, and which one is the last; null: none */
  readonly count: number;
  readonly last: { readonly index: number; readonly timeMs: number } | null;
  /** all frames are there */
  readonly isWhole: boolean;
}

/** Raw results of runs, kept while they are made: a reload goes on behind the last frame that is kept. */
export interface FootageStore {
  /** Runs over this footage, the last used first. @throws BrowserStoreError */
  runs(fingerprint: string): Promise<readonly KeptRun[]>;
  /**
   * Adds frames to those that are kept, in one piece, with what is known of their run now. Of two tabs that go on with one
   * run, what the one says that came further stays. @throws BrowserStoreError, such as where frames that were kept before are gone
   */
  append(run: KeptRun, frames: readonly FootageFrame[]): Promise<void>;
  /**
   * The frames of a page (see `pageOf`) that are kept, in order, each once; null: the run is gone. A run that is read is in
   * use: it is not the first to be forgotten. @throws BrowserStoreError
   */
  page(id: string, page: number): Promise<FootageFrame[] | null>;
}
