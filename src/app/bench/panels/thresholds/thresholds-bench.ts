import type { VisionClient } from '../../../../../workers/vision/client/vision-client.ts';
import type { LabelColours } from '../../../kit/colours/label-colours.svelte.ts';
import type { MemoryPort } from '../../../kit/memory/remembered.ts';
import type { ShortcutRegistry } from '../../../kit/keys/shortcut-registry.svelte.ts';
import type { FitState } from '../../fit/fit-state.svelte.ts';
import type { ModelsState } from '../../models/models-state.svelte.ts';
import type { ResultsState } from '../../results/results-state.svelte.ts';
import type { FilteredBench } from '../../filtered/filtered-bench.ts';
import type { RecorderBench } from '../../recorder/recorder-bench.ts';
import type { StartUp } from '../../session/start-up.svelte.ts';
import type { ThresholdList } from '../../thresholds/threshold-list.svelte.ts';
import type { ViewState } from '../../view/view-state.svelte.ts';

/** What the parts in this folder use of the bench. */
export interface ThresholdsBench extends RecorderBench, FilteredBench {
  readonly colours: LabelColours;
  readonly fit: FitState;
  readonly sharedMemory: MemoryPort;
  readonly models: ModelsState;
  readonly results: ResultsState;
  readonly shortcuts: ShortcutRegistry;
  readonly startUp: StartUp;
  readonly thresholdList: ThresholdList;
  readonly view: ViewState;
  readonly vision: Pick<VisionClient, 'copyStage' | 'lookAtColors' | 'onResult' | 'separateBlobs'>;
}
