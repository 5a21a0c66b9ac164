import type { ModelsState } from '../models/models-state.svelte.ts';
import type { SessionState } from '../session/session-state.svelte.ts';
import type { SourcesState } from '../sources/sources-state.svelte.ts';
import type { ProfileState } from './profile-state.svelte.ts';

/** What the parts in this folder use of the bench. */
export interface ProfileBench {
  readonly models: ModelsState;
  readonly profile: ProfileState;
  /** the tuned service */
  readonly serviceName: string;
  readonly session: SessionState;
  readonly sources: SourcesState;
}
