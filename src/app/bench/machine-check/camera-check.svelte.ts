import { areLossless, captureBoth, type BothPictures } from '../../../live-machine/capture-both.ts';
import { judgeSteps, type StepsVerdict } from '../../../live-machine/judge-steps.ts';
import { cameraChain } from '../../../vision/camera-chain.ts';
import { MachineError } from '../../../vision/machine-error.ts';
import type { CameraComparison } from '../../../../workers/vision/protocol.ts';
import type { ConfigState } from '../config/config-state.svelte.ts';
import type { SessionState } from '../session/session-state.svelte.ts';
import { imageBlob } from '../live-machine/image-blob.ts';
import { liveMachineFaultOf, type LiveMachineFault } from '../live-machine/live-machine-fault.ts';
import type { LiveMachineState } from '../live-machine/live-machine-state.svelte.ts';

export interface CameraCheckDependencies {
  readonly machine: LiveMachineState;
  readonly config: ConfigState;
  readonly session: SessionState;
}

/** A transform camera that both the configuration and the machine have, and the source camera of its chain. */
export interface CheckableCamera {
  readonly name: string;
  readonly sourceName: string;
}

export interface CheckedCamera extends CameraComparison, CheckableCamera {
  /** both pictures are from one frame of the source, to the byte */
  readonly isOneFrame: boolean;
  readonly verdict: StepsVerdict;
}

/** Compares a transform camera of the machine with the configuration's steps run here. */
export class CameraCheck {
  readonly #dependencies: CameraCheckDependencies;
  isOpen: boolean = $state(false);
  checked = $state.raw<CheckedCamera | null>(null);
  fault = $state.raw<LiveMachineFault | null>(null);
  #abort = $state.raw<AbortController | null>(null);
  #chosen = $state('');

  constructor(dependencies: CameraCheckDependencies) {
    this.#dependencies = dependencies;
  }

  /** The cameras that can be compared. */
  readonly cameras: readonly CheckableCamera[] = $derived.by(() => {
    const { machine, config } = this.#dependencies;
    return config.transformCameraNames.flatMap((name) => {
      if (!machine.cameras.includes(name)) return [];
      const sourceName = sourceOf(config, name);
      return sourceName !== null && machine.cameras.includes(sourceName) ? [{ name, sourceName }] : [];
    });
  });

  /** The chosen camera, otherwise the one on the stage, otherwise the first. */
  readonly camera: CheckableCamera | null = $derived.by(() => {
    const { machine, config } = this.#dependencies;
    const named = (wanted: string | null) => this.cameras.find(({ name }) => name === wanted);
    return named(this.#chosen) ?? named(machine.cameraName) ?? named(config.cameraName) ?? this.cameras[0] ?? null;
  });
  get isRunning(): boolean {
    return this.#abort !== null;
  }

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
    this.#abort?.abort();
    this.#abort = null;
    this.#forget();
  }

  async run(): Promise<void> {
    const { machine, session } = this.#dependencies;
    const { camera } = this;
    this.#abort?.abort();
    if (!machine.machine || !camera) return;
    const abort = (this.#abort = new AbortController());
    this.fault = null;
    this.#forget();
    try {
      const both = await captureBoth(machine.machine, camera.sourceName, camera.name, abort.signal);
      const compared = await compareHere(session, both, camera.name);
      const { verdict } = judgeSteps(camera, { ...compared, isLossless: areLossless(both) });
      if (this.#abort === abort) this.checked = { ...compared, ...camera, verdict, isOneFrame: both.isOneFrame };
      else closePictures(compared);
    } catch (error) {
      if (this.#abort === abort) this.fault = liveMachineFaultOf(error, 'Mend that, and compare again.');
    } finally {
      if (this.#abort === abort) this.#abort = null;
    }
  }

  #forget(): void {
    if (this.checked) closePictures(this.checked);
    this.checked = null;
  }
}

/** Runs the steps here on the source's frames, and compares. Whoever receives the pictures closes them. */
export function compareHere(
  session: Pick<SessionState, 'underPlan'>,
  { source, output, after, isOneFrame }: BothPictures,
  cameraName: string,
): Promise<CameraComparison> {
  const moved = isOneFrame ? null : imageBlob(after);
  return session.underPlan((client) => client.compareCamera(imageBlob(source), imageBlob(output), cameraName, moved));
}

function sourceOf({ config }: ConfigState, name: string): string | null {
  try {
    return cameraChain(config.cameras, name).sourceName;
  } catch (error) {
    if (error instanceof MachineError) return null; // the configuration's findings say why
    throw error;
  }
}

export function closePictures({ here, there, difference }: CameraComparison): void {
  for (const picture of [here, there, difference?.picture]) picture?.close();
}
