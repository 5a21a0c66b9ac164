import type { ChainStep } from '../../../../machine/vision/face/cameras.ts';
import type { AreaRoute } from '../../../areas/area-route.svelte.ts';
import type { AccountState } from '../../account/account-state.svelte.ts';
import type { WriteFault } from '../../account/write-error.ts';
import type { BorrowState } from '../../borrow/borrow-state.svelte.ts';
import type { ConfigState } from '../../config/config-state.svelte.ts';
import type { FileIntake } from '../../intake/file-intake.svelte.ts';
import type { ModelsState } from '../../models/models-state.svelte.ts';
import type { SessionState } from '../../session/session-state.svelte.ts';
import type { StartUp } from '../../session/start-up.svelte.ts';
import type { MachineCameraState } from '../../sources/machine-camera-state.svelte.ts';
import type { SourcesState } from '../../sources/sources-state.svelte.ts';
import type { ViewState } from '../../view/view-state.svelte.ts';
import type { VisitState } from '../../visit/visit-state.svelte.ts';

/** What the parts in this folder use of the bench. */
export interface SourcesBench {
  readonly areas: AreaRoute;
  readonly borrowing: BorrowState;
  readonly config: ConfigState;
  readonly footage: { show(name: string): void };
  readonly intake: FileIntake;
  readonly models: ModelsState;
  readonly machineCamera: MachineCameraState;
  readonly serviceName: string;
  readonly session: SessionState;
  readonly sources: SourcesState;
  readonly startUp: StartUp;
  /** the steps of the tuned service's camera */
  readonly steps: readonly ChainStep[];
  readonly view: ViewState;
  readonly visit: VisitState;
  /** what a configuration is read from, and written to; loaded when it is asked for */
  readonly writeBack: {
    load(): Promise<void>;
    readonly state: {
      readonly account: AccountState;
      readonly fault: WriteFault | null;
      openPart(): Promise<void>;
    } | null;
  };
}
