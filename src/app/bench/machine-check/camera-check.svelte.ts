import type { SteppedCamera, StepsDoubt, StepsVerdict } from '../../../remote/live-machine/judge-steps.ts';
import { cameraChain, type CameraChain, drawsOnTheWay } from '../../../machine/vision/face/cameras.ts';
import { MachineError } from '../../../machine/vision/face/errors.ts';
import type { CameraComparison } from '../../../../workers/vision/protocol.ts';
import { LatestRun } from '../../kit/runs/latest-run.svelte.ts';
import type { ConfigState } from '../config/config-state.svelte.ts';
import type { SessionState } from '../session/session-state.svelte.ts';
import { lateState } from '../session/late-state.svelte.ts';
import type { SourcesState } from '../sources/sources-state.svelte.ts';
import { liveMachineFaultOf, type LiveMachineFault } from '../live-machine/live-machine-fault.ts';
import type { LiveMachineState } from '../live-machine/live-machine-state.svelte.ts';

export interface CameraCheckDependencies {
  readonly machine: LiveMachineState;
  readonly config: ConfigState;
  readonly session: SessionState;
}

interface Compared extends CameraComparison {
  /** both pictures are from one frame of the source, to the byte */
  readonly isOneFrame: boolean;
  readonly verdict: StepsVerdict;
  /** why nothing was compared */
  readonly doubt: StepsDoubt | undefined;
}

export interface CheckedCamera extends Compared, SteppedCamera {}

/** Compares a transform camera of the machine with the configuration's steps run here. */
export class CameraCheck extends LatestRun<true, LiveMachineFault> {
  readonly #dependencies: CameraCheckDependencies;
  isOpen: boolean = $state(false);
  checked = $state.raw<CheckedCamera | null>(null);
  #chosen = $state('');

  constructor(dependencies: CameraCheckDependencies) {
    super();
    this.#dependencies = dependencies;
  }

  /** The transform cameras that both the configuration and the machine have. */
  readonly cameras: readonly SteppedCamera[] = $derived.by(() => {
    const { machine, config } = this.#dependencies;
    return config.transformCameraNames.flatMap((name) => {
      if (!machine.cameras.includes(name)) return [];
      const chain = chainOf(config, name);
      if (!chain || !machine.cameras.includes(chain.sourceName)) return [];
      return [{ name, sourceName: chain.sourceName, draws: drawsOnTheWay(chain) }];
    });
  });

  /** The chosen camera, otherwise the one on the stage, otherwise the first. */
  readonly camera: SteppedCamera | null = $derived.by(() => {
    const { machine, config } = this.#dependencies;
    const named = (wanted: string | null) => this.cameras.find(({ name }) => name === wanted);
    return named(this.#chosen) ?? named(machine.cameraName) ?? named(config.cameraName) ?? this.cameras[0] ?? null;
  });

  choose(name: string): void {
    this.#chosen = name;
    void this.run();
  }

  open(): void {
    this.isOpen = true;
    void this.run();
  }

  close(): void {
    this.isOpen = false;
    this.cancel();
    this.#forget();
  }

  async run(): Promise<void> {
    const { machine, session } = this.#dependencies;
    const { camera } = this;
    if (!machine.machine || !camera) return this.cancel();
    const linked = machine.machine;
    this.#forget();
    await this.begin({
      first: true,
      run: async (_, signal) => {
        const { compareSteps } = await import('./steps-here.ts');
        return compareSteps(linked, session, camera, signal);
      },
      take: (compared) => (this.checked = { ...compared, ...camera }),
      drop: closePictures,
      faultOf: (error) => liveMachineFaultOf(error, 'Fix that, then compare again.'),
    });
  }

  #forget(): void {
    if (this.checked) closePictures(this.checked);
    this.checked = null;
  }
}

function chainOf({ config }: ConfigState, name: string): CameraChain | null {
  try {
    return cameraChain(config.cameras, name);
  } catch (error) {
    if (error instanceof MachineError) return null; // the configuration's findings say why
    throw error;
  }
}

export function closePictures({ here, there, difference }: CameraComparison): void {
  for (const picture of [here, there, difference?.picture]) picture?.close();
}

/** What of a bench its cameras are compared with. */
interface CameraBench {
  readonly config: ConfigState;
  readonly session: SessionState;
  readonly sources: SourcesState;
}

export const cameraCheckOf = lateState(
  ({ config, session, sources }: CameraBench) => new CameraCheck({ machine: sources.machine, config, session }),
);
