import type { WriteBackState } from './write-back-state.svelte.ts';

/**
 * Writing back before its code is loaded: whether its dialog is open. The rest is loaded with the dialog and stays.
 */
export class WriteBackLoader {
  readonly #fetch: () => Promise<WriteBackState>;
  isOpen: boolean = $state(false);
  /** null: not loaded yet */
  state = $state.raw<WriteBackState | null>(null);

  constructor(fetch: () => Promise<WriteBackState>) {
    this.#fetch = fetch;
  }

  open(): void {
    this.isOpen = true;
    this.state?.open();
  }

  close(): void {
    this.isOpen = false;
    this.state?.close();
  }

  /** Rejects if it cannot be loaded; another call tries again. */
  async load(): Promise<void> {
    if (this.state) return;
    const state = await this.#fetch();
    this.state = state;
    if (this.isOpen) state.open();
  }
}
