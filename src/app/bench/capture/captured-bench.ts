import type { FrameResult } from '../../../../workers/vision/protocol.ts';
import type { ConfigState } from '../config/config-state.svelte.ts';
import type { LabelsState } from '../models/labels-state.svelte.ts';
import type { ModelsState } from '../models/models-state.svelte.ts';
import type { ResultsState } from '../results/results-state.svelte.ts';
import type { SessionState } from '../session/session-state.svelte.ts';
import type { SourcesState } from '../sources/sources-state.svelte.ts';
import type { ThresholdsState } from '../thresholds/thresholds-state.svelte.ts';
import type { AreaRoute } from '../../areas/area-route.svelte.ts';
import type { MemoryPort } from '../../kit/memory/remembered.ts';
import type { ViewState } from '../view/view-state.svelte.ts';
import type { MadeWith } from './made-with.ts';

/** What capturing needs of the bench: the setup of the frame on the stage, and a way to show captures. */
export interface CapturedBench {
  readonly areas: AreaRoute;
  readonly config: ConfigState;
  readonly memory: MemoryPort;
  readonly labels: LabelsState;
  readonly models: ModelsState;
  /** The model, the configuration and the filter of a result. */
  madeWith(result: FrameResult): MadeWith;
  readonly results: ResultsState;
  /** the tuned service */
  readonly serviceName: string;
  readonly session: SessionState;
  readonly sources: SourcesState;
  readonly thresholds: ThresholdsState;
  readonly view: ViewState;
}
