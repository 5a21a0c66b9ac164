import type { SeenPictures } from '../../../machine/config/face/recorder.ts';
import type { ConfigState } from '../config/config-state.svelte.ts';
import type { ViewState } from '../view/view-state.svelte.ts';

/** What the parts in this folder use of the bench. */
export interface RecorderBench {
  readonly config: ConfigState;
  readonly pictures: SeenPictures | null;
  readonly view: ViewState;
}
