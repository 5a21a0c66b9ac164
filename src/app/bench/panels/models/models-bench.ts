import type { VisionClient } from '../../../../../workers/vision/client/vision-client.ts';
import type { BorrowBench } from '../../borrow/borrow-bench.ts';
import type { FitBench } from '../../fit/fit-bench.ts';
import type { LabelsState } from '../../models/labels-state.svelte.ts';
import type { ModelsState } from '../../models/models-state.svelte.ts';
import type { ModelShelf } from '../../models/model-shelf.svelte.ts';
import type { ProfileState } from '../../profile/profile-state.svelte.ts';
import type { ResultsState } from '../../results/results-state.svelte.ts';
import type { ViewState } from '../../view/view-state.svelte.ts';

/** What the parts in this folder use of the bench. */
export interface ModelsBench extends BorrowBench, FitBench {
  readonly labels: LabelsState;
  modelPathOf(service: string): string;
  readonly models: ModelsState;
  readonly profile: ProfileState;
  readonly results: ResultsState;
  /** the tuned service */
  readonly serviceName: string;
  /** null: not loaded yet */
  readonly shelf: ModelShelf | null;
  readonly view: ViewState;
  readonly vision: VisionClient;
}
