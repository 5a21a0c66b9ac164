import type { ChainStep } from '../../vision/camera-chain.ts';
import type { ConfigState } from '../config/config-state.svelte.ts';
import type { LabelsState } from '../models/labels-state.svelte.ts';
import type { ModelsState } from '../models/models-state.svelte.ts';
import type { ResultsState } from '../results/results-state.svelte.ts';
import type { SessionState } from '../session/session-state.svelte.ts';
import type { SourcesState } from '../sources/sources-state.svelte.ts';
import type { ThresholdsState } from '../thresholds/thresholds-state.svelte.ts';
import type { AreaRoute } from '../view/area-route.svelte.ts';
import type { MemoryPort } from '../view/remembered.ts';
import type { ViewState } from '../view/view-state.svelte.ts';

/** What capturing needs of the bench: what made the frame on the stage, and where to show what was kept. */
export interface CapturedBench {
  readonly areas: AreaRoute;
  readonly config: ConfigState;
  readonly memory: MemoryPort;
  readonly labels: LabelsState;
  readonly models: ModelsState;
  readonly results: ResultsState;
  /** the tuned service */
  readonly serviceName: string;
  readonly session: SessionState;
  readonly sources: SourcesState;
  /** steps between the source and the tuned service */
  readonly steps: readonly ChainStep[];
  readonly thresholds: ThresholdsState;
  readonly view: ViewState;
}
