import type { StageViewport } from '../../kit/picture/stage-viewport.svelte.ts';
import type { ConfigState } from '../config/config-state.svelte.ts';
import type { ModelsState } from '../models/models-state.svelte.ts';
import type { SessionState } from '../session/session-state.svelte.ts';
import type { ResultsState } from '../results/results-state.svelte.ts';
import type { SourcesState } from '../sources/sources-state.svelte.ts';
import type { ViewState } from '../view/view-state.svelte.ts';

/** What the parts in this folder use of the bench. */
export interface MachineCheckBench {
  readonly config: ConfigState;
  readonly models: ModelsState;
  readonly results: ResultsState;
  /** steps run here on frames of a live machine that its service sees without them */
  readonly runsStepsOnMachine: boolean;
  readonly serviceName: string;
  readonly session: SessionState;
  /** the result on the stage, if the present model made it */
  readonly shown: Pick<SessionState, 'current'>;
  readonly sources: SourcesState;
  readonly view: ViewState;
  readonly viewport: StageViewport;
}
