import { recall, remember, type MemoryPort } from '../../kit/memory/remembered.ts';
import type { FootagePorts } from './footage-ports.ts';
import type { FootageSession } from './footage-session.svelte.ts';

const KEY = 'footage';

/** A run over a whole video or folder before its code is loaded: the footage whose run is on show. */
export class FootageLoader {
  readonly #memory: MemoryPort;
  readonly ports: () => Promise<FootagePorts>;
  /** name of the footage; '': none is on show. A reload shows it again. */
  shown: string = $state('');
  /** The run; it goes on while its dialog is closed. */
  session = $state.raw<FootageSession | null>(null);

  constructor(memory: MemoryPort, ports: () => Promise<FootagePorts>) {
    this.#memory = memory;
    this.ports = ports;
    const before = recall(memory, KEY);
    if (typeof before === 'string') this.shown = before;
  }

  /** Takes a run in place of the one before, which ends. */
  begin(session: FootageSession): void {
    this.session?.run.cancel();
    this.session = session;
  }

  /** '': shows none any more. */
  show(name: string): void {
    this.shown = name;
    remember(this.#memory, KEY, name);
  }
}
