import type { ConfigState } from '../config/config-state.svelte.ts';
import type { BorrowState } from './borrow-state.svelte.ts';
import type { SessionState } from '../session/session-state.svelte.ts';
import type { SourcesState } from '../sources/sources-state.svelte.ts';

/** What the parts in this folder use of the bench. */
export interface BorrowBench {
  readonly borrowing: BorrowState;
  readonly config: ConfigState;
  readonly session: SessionState;
  readonly sources: SourcesState;
}
