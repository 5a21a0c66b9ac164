import type { LintFacts } from '../../../../machine/config/face/lint.ts';
import type { PresentSetup } from '../../../../machine/config/face/edits.ts';
import type { MemoryPort } from '../../../kit/memory/remembered.ts';
import type { ConfigState } from '../../config/config-state.svelte.ts';
import type { LabelsState } from '../../models/labels-state.svelte.ts';
import type { ModelShelf } from '../../models/model-shelf.svelte.ts';
import type { ModelsState } from '../../models/models-state.svelte.ts';
import type { ViewState } from '../../view/view-state.svelte.ts';
import type { WriteBackLoader } from '../../write-back/write-back-loader.svelte.ts';

/** What the parts in this folder use of the bench. */
export interface ConfigBench {
  readonly config: ConfigState;
  /** what the models tell about the services */
  readonly facts: LintFacts;
  readonly labels: LabelsState;
  readonly models: ModelsState;
  /** null: not loaded yet */
  readonly shelf: ModelShelf | null;
  readonly sharedMemory: MemoryPort;
  readonly present: PresentSetup;
  readonly view: ViewState;
  readonly writeBack: WriteBackLoader;
}
