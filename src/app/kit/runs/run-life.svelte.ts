import type { ErrorWords } from '../words/error-words.ts';

export type RunState =
  | { readonly kind: 'idle' }
  /** the run's inputs are opened and read */
  | { readonly kind: 'preparing' }
  | { readonly kind: 'running'; readonly isPaused: boolean }
  | { readonly kind: 'done' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly words: ErrorWords };

/** The life of work that takes long, which a person can pause, resume and cancel. */
export class RunLife {
  #state: RunState = $state.raw({ kind: 'idle' });
  #abort = new AbortController();
  /** resolves the promises of what waits for the end of a pause */
  #waiting: (() => void)[] = [];

  get state(): RunState {
    return this.#state;
  }

  get isBusy(): boolean {
    return this.#state.kind === 'preparing' || this.#state.kind === 'running';
  }

  /** Aborted when the work of now is to end. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Begins anew; work under way is aborted. Returns the signal of the new work. */
  prepare(): AbortSignal {
    this.#end({ kind: 'preparing' });
    this.#abort = new AbortController();
    return this.signal;
  }

  run(): void {
    this.#state = { kind: 'running', isPaused: false };
  }

  finish(): void {
    this.#state = { kind: 'done' };
  }

  fail(words: ErrorWords): void {
    this.#end({ kind: 'failed', words });
  }

  pause(): void {
    if (this.#state.kind === 'running') this.#state = { kind: 'running', isPaused: true };
  }

  resume(): void {
    if (this.#state.kind !== 'running') return;
    this.run();
    this.#resumeWaiting();
  }

  cancel(): void {
    if (this.isBusy) this.#end({ kind: 'cancelled' });
  }

  /** Resolves when no pause is in force: to whether one was. Rejects once `signal` is aborted. */
  async whilePaused(signal: AbortSignal): Promise<boolean> {
    let wasPaused = false;
    while (this.#state.kind === 'running' && this.#state.isPaused && !signal.aborted) {
      wasPaused = true;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    signal.throwIfAborted();
    return wasPaused;
  }

  #end(state: RunState): void {
    this.#abort.abort();
    this.#resumeWaiting();
    this.#state = state;
  }

  #resumeWaiting(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
