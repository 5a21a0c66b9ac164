import type { PresentSetup } from '../../../machine/config/face/edits.ts';
import type { MemoryPort } from '../../kit/memory/remembered.ts';
import type { ConfigState } from '../config/config-state.svelte.ts';
import type { ModelShelf } from '../models/model-shelf.svelte.ts';
import type { ModelsState } from '../models/models-state.svelte.ts';
import type { SourcesState } from '../sources/sources-state.svelte.ts';
import type { WriteBackLoader } from './write-back-loader.svelte.ts';

/** What the parts in this folder use of the bench. */
export interface WriteBackBench {
  readonly config: ConfigState;
  readonly models: ModelsState;
  /** null: not loaded yet */
  readonly shelf: ModelShelf | null;
  readonly sharedMemory: MemoryPort;
  readonly present: PresentSetup;
  readonly sources: SourcesState;
  readonly writeBack: WriteBackLoader;
}
