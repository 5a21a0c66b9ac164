import type { ChainStep } from '../../../../machine/vision/face/cameras.ts';
import type { ConfigState } from '../../config/config-state.svelte.ts';
import type { SessionState } from '../../session/session-state.svelte.ts';
import type { SourcesState } from '../../sources/sources-state.svelte.ts';
import type { ViewState } from '../../view/view-state.svelte.ts';

/** What the parts in this folder use of the bench. */
export interface TransformsBench {
  readonly config: ConfigState;
  readonly session: SessionState;
  readonly sources: SourcesState;
  /** steps of the camera that the tuned service looks through */
  readonly steps: readonly ChainStep[];
  readonly view: ViewState;
}
