import type { PendingDelete } from '../kit/edits/pending-delete.svelte.ts';
import type { CaptureHost } from './capture-host.ts';
import type { KeptList } from './kept-list.svelte.ts';

/** The captures of the bench, for the data area, which lists, shows and deletes them. */
export interface KeptCaptures {
  readonly host: CaptureHost;
  readonly list: KeptList;
  /** The deletion that is pending and can still be cancelled. */
  readonly deletion: PendingDelete;
  /** Labels of the bench's model. */
  readonly knownLabels: readonly string[];
  /** Shows captures on the stage as stills, instead of the present source. */
  showOnStage(ids: readonly string[]): Promise<void>;
}

/** The content of the dialog that saves and opens benches: a dropped file, or the captures to save. */
export interface BenchDialog {
  readonly file: File | null;
  readonly captureIds: readonly string[] | null;
}

/** The data area's access to the captures, whose store is opened when it is first needed. */
export interface CaptureAccess {
  /** null: not opened yet */
  readonly opened: { readonly captures: KeptCaptures } | null;
  /** null: the dialog is closed */
  benchDialog: BenchDialog | null;
  /** Opens the store. Rejects if it cannot be opened; another call tries again. */
  open(): Promise<{ readonly captures: KeptCaptures }>;
}
