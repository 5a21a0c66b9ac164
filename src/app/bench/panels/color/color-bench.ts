import type { VisionClient } from '../../../../../workers/vision/client/vision-client.ts';
import type { ConfigState } from '../../config/config-state.svelte.ts';
import type { SessionState } from '../../session/session-state.svelte.ts';
import type { ViewState } from '../../view/view-state.svelte.ts';

/** What the parts in this folder use of the bench. */
export interface ColorBench {
  readonly config: ConfigState;
  readonly session: Pick<SessionState, 'listed'>;
  readonly view: ViewState;
  readonly vision: Pick<VisionClient, 'lookAtColors' | 'separateBlobs'>;
}
