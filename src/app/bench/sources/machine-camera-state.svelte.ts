import { type MachineCamera, withMachineCamera } from '../../../machine/config/face/cameras.ts';
import type { MachineConfig } from '../../../machine/config/face/machine-config.ts';
import { recall, remember, type MemoryPort } from '../../kit/memory/remembered.ts';

const KEY = 'machine-camera';

/**
 * The camera of the configuration that the frames of a machine's camera represent: by the configuration, or by a
 * person's choice.
 */
export class MachineCameraState {
  readonly #memory: MemoryPort;
  /** null: as in the configuration */
  chosen = $state<MachineCamera | null>(null);

  constructor(memory: MemoryPort) {
    this.#memory = memory;
    const before = recall(memory, KEY);
    if (before === 'webcam' || before === 'module') this.chosen = before;
  }

  choose(kind: MachineCamera | null): void {
    this.chosen = kind;
    remember(this.#memory, KEY, kind);
  }

  /** The configuration with the chosen camera. */
  applyTo(config: MachineConfig): MachineConfig {
    return withMachineCamera(config, this.chosen);
  }
}
