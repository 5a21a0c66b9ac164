import type { VisionClient } from '../../../../workers/vision/client/vision-client.ts';
import type { ResultsState } from '../results/results-state.svelte.ts';
import type { SolverDependencies } from './solver-state.svelte.ts';

/** What the parts in this folder use of the bench. */
export interface SolverBench extends SolverDependencies {
  readonly results: ResultsState;
  readonly vision: VisionClient;
}
