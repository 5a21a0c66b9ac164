import type { ChainStep } from '../../../machine/vision/face/cameras.ts';
import type { ConfigState } from '../config/config-state.svelte.ts';
import type { LabelsState } from '../models/labels-state.svelte.ts';
import type { ModelsState } from '../models/models-state.svelte.ts';
import type { ResultsState } from '../results/results-state.svelte.ts';
import type { SessionState } from '../session/session-state.svelte.ts';
import type { SourcesState } from '../sources/sources-state.svelte.ts';
import type { ViewState } from '../view/view-state.svelte.ts';
import type { StageViewport } from '../../kit/picture/stage-viewport.svelte.ts';

/** What the parts in this folder use of the bench. */
export interface ComparisonBench {
  readonly config: Pick<ConfigState, 'cameraName' | 'config' | 'filter' | 'runConfig' | 'visionName' | 'visionNames'>;
  readonly labels: Pick<LabelsState, 'byService' | 'sourceOf'>;
  readonly models: Pick<ModelsState, 'assigned' | 'loading' | 'loadFirst'>;
  modelPathOf(service: string): string;
  readonly results: Pick<ResultsState, 'detections' | 'rows'>;
  /** whether steps run here on frames of a live machine */
  readonly runsStepsOnMachine: boolean;
  readonly serviceName: string;
  readonly session: Pick<SessionState, 'current'>;
  readonly sources: Pick<SourcesState, 'kind'>;
  /** the steps of the tuned service's camera */
  readonly steps: readonly ChainStep[];
  readonly view: Pick<ViewState, 'focusedLabel' | 'overlayHidden' | 'shownStage' | 'undistortPreview'>;
  readonly viewport: StageViewport;
}
