import type { StageViewport } from '../../kit/picture/stage-viewport.svelte.ts';
import type { Agreement } from './agreement.svelte.ts';
import type { CameraCheck } from './camera-check.svelte.ts';
import type { ProofState } from './proof-state.svelte.ts';
import type { ResultsState } from '../results/results-state.svelte.ts';
import type { SourcesState } from '../sources/sources-state.svelte.ts';
import type { ViewState } from '../view/view-state.svelte.ts';

/** What the parts in this folder use of the bench. */
export interface MachineCheckBench {
  readonly agreement: Agreement;
  readonly cameraCheck: CameraCheck;
  readonly proof: ProofState;
  readonly results: ResultsState;
  /** steps run here on frames of a live machine that its service sees without them */
  readonly runsStepsOnMachine: boolean;
  readonly sources: SourcesState;
  readonly view: ViewState;
  readonly viewport: StageViewport;
}
