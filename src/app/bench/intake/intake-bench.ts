import type { SourcesState } from '../sources/sources-state.svelte.ts';
import type { FileIntake } from './file-intake.svelte.ts';

/** What the parts in this folder use of the bench. */
export interface IntakeBench {
  readonly intake: FileIntake;
  readonly sources: SourcesState;
}
