import type { PendingDelete } from '../kit/edits/pending-delete.svelte.ts';
import type { CaptureHost } from './capture-host.ts';
import type { KeptList } from './kept-list.svelte.ts';

/** What the bench captured: the data area lists, shows and deletes it. */
export interface KeptCaptures {
  readonly host: CaptureHost;
  readonly list: KeptList;
  /** What is about to be deleted, and can still be kept. */
  readonly deletion: PendingDelete;
  /** Labels that the bench's model gives. */
  readonly knownLabels: readonly string[];
  /** Shows captures on the stage as stills, in place of what is there. */
  showOnStage(ids: readonly string[]): Promise<void>;
}

/** The dialog that saves and opens benches: a file that was dropped, or the captures to save. */
export interface BenchDialog {
  readonly file: File | null;
  readonly captureIds: readonly string[] | null;
}

/** The way from the data area to the captures, whose store opens when it is first needed. */
export interface CaptureAccess {
  /** null until they were opened */
  readonly opened: { readonly captures: KeptCaptures } | null;
  /** null while it is closed */
  benchDialog: BenchDialog | null;
  /** Rejects where the captures cannot be opened; asking again tries again. */
  open(): Promise<{ readonly captures: KeptCaptures }>;
}
