import type { BenchPlan } from '../../../../workers/vision/protocol.ts';
import type { VisionClient } from '../../../../workers/vision/client/vision-client.ts';
import type { SeenPictures } from '../../../machine/config/face/recorder.ts';
import type { ConfigState } from '../config/config-state.svelte.ts';
import type { SessionState } from '../session/session-state.svelte.ts';
import type { SourcesState } from '../sources/sources-state.svelte.ts';
import type { ThresholdsState } from '../thresholds/thresholds-state.svelte.ts';

/** What the parts in this folder use of the bench. */
export interface FilteredBench {
  readonly config: ConfigState;
  readonly pictures: SeenPictures | null;
  readonly plan: BenchPlan;
  readonly serviceName: string;
  readonly session: SessionState;
  readonly sources: SourcesState;
  readonly thresholds: ThresholdsState;
  readonly vision: Pick<VisionClient, 'copyStage' | 'onResult'>;
}
