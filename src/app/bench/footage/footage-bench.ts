import type { SeenPictures } from '../../../machine/config/face/recorder.ts';
import type { VisionClient } from '../../../../workers/vision/client/vision-client.ts';
import type { CaptureAccess } from '../../captures/kept-captures.ts';
import type { LabelColours } from '../../kit/colours/label-colours.svelte.ts';
import type { FileIntake } from '../intake/file-intake.svelte.ts';
import type { SourcesState } from '../sources/sources-state.svelte.ts';
import type { ThresholdsState } from '../thresholds/thresholds-state.svelte.ts';
import type { ViewState } from '../view/view-state.svelte.ts';
import type { FootageLoader } from './footage-loader.svelte.ts';
import type { SessionBench } from './footage-session.svelte.ts';

/** What the parts in this folder use of the bench. */
export interface FootageBench extends SessionBench {
  readonly footage: FootageLoader;
  readonly captures: CaptureAccess;
  readonly colours: LabelColours;
  readonly intake: Pick<FileIntake, 'takeFiles'>;
  readonly pictures: SeenPictures | null;
  readonly sources: SourcesState;
  readonly thresholds: ThresholdsState;
  readonly view: ViewState;
  readonly vision: Pick<VisionClient, 'keepUnseen'>;
}
