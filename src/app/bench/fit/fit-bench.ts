import type { ConfigState } from '../config/config-state.svelte.ts';
import type { GraphLoader } from '../graph/graph-loader.svelte.ts';
import type { SessionState } from '../session/session-state.svelte.ts';
import type { FitState } from './fit-state.svelte.ts';

/** What the parts in this folder use of the bench. */
export interface FitBench {
  readonly config: ConfigState;
  readonly fit: FitState;
  readonly graph: GraphLoader;
  readonly session: SessionState;
}
