import type { VisionClient } from '../../../../workers/vision/client/vision-client.ts';
import type { ShortcutRegistry } from '../../kit/keys/shortcut-registry.svelte.ts';
import type { LabelColours } from '../../kit/colours/label-colours.svelte.ts';
import type { BorrowBench } from '../borrow/borrow-bench.ts';
import type { CaptureBench } from '../capture/capture-bench.ts';
import type { SecondState } from '../comparison/second-state.svelte.ts';
import type { IntakeBench } from '../intake/intake-bench.ts';
import type { MachineCheckBench } from '../machine-check/machine-check-bench.ts';
import type { SourcesBench } from '../panels/sources/sources-bench.ts';
import type { RecorderBench } from '../recorder/recorder-bench.ts';
import type { ThresholdsState } from '../thresholds/thresholds-state.svelte.ts';
import type { ProfileState } from '../profile/profile-state.svelte.ts';

/** What the parts in this folder use of the bench. */
export interface StageBench
  extends BorrowBench, CaptureBench, IntakeBench, MachineCheckBench, RecorderBench, SourcesBench {
  readonly colours: LabelColours;
  modelPathOf(service: string): string;
  readonly profile: ProfileState;
  readonly shortcuts: ShortcutRegistry;
  readonly vision: Pick<VisionClient, 'copyStage'>;
  readonly second: SecondState;
  readonly thresholds: ThresholdsState;
}
