import type { ConfigState } from '../config/config-state.svelte.ts';
import type { ResultsState } from '../results/results-state.svelte.ts';
import type { SolverState } from './solver-state.svelte.ts';

/** What the parts in this folder use of the bench. */
export interface SolverBench {
  readonly config: ConfigState;
  readonly results: ResultsState;
  readonly solver: SolverState;
}
