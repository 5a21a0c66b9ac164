import { withMachineCamera, type MachineCamera } from '../../../config/machine-camera.ts';
import type { MachineConfig } from '../../../config/machine-config.ts';
import { recall, remember, type MemoryPort } from '../../kit/memory/remembered.ts';

const KEY = 'machine-camera';

/** Which camera of a machine the frames stand for: what the configuration says, or what a person chose once. */
export class MachineCameraState {
  readonly #memory: MemoryPort;
  #chosen = $state<MachineCamera | null>(null);

  constructor(memory: MemoryPort) {
    this.#memory = memory;
    const before = recall(memory, KEY);
    if (before === 'webcam' || before === 'module') this.#chosen = before;
  }

  /** null = as the configuration says */
  get chosen(): MachineCamera | null {
    return this.#chosen;
  }

  choose(kind: MachineCamera | null): void {
    this.#chosen = kind;
    remember(this.#memory, KEY, kind);
  }

  /** The configuration as it runs. */
  applyTo(config: MachineConfig): MachineConfig {
    return withMachineCamera(config, this.#chosen);
  }
}
