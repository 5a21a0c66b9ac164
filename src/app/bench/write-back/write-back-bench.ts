import type { ConfigState } from '../config/config-state.svelte.ts';
import type { SourcesState } from '../sources/sources-state.svelte.ts';
import type { WriteBackDoor } from './write-back-door.svelte.ts';

/** What the parts in this folder use of the bench. */
export interface WriteBackBench {
  readonly config: ConfigState;
  readonly sources: SourcesState;
  readonly writeBack: WriteBackDoor;
}
