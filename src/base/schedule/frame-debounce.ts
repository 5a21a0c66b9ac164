/** Runs the last task of an animation frame, once, before the frame is painted. */
export class FrameDebounce {
  readonly #request: (callback: () => void) => unknown;
  #task: (() => void) | null = null;

  constructor(request: (callback: () => void) => unknown = (callback) => requestAnimationFrame(callback)) {
    this.#request = request;
  }

  schedule(task: () => void): void {
    const waiting = this.#task !== null;
    this.#task = task;
    if (!waiting) this.#request(() => this.flush());
  }

  /** Runs the waiting task at once, for code that depends on its result. */
  flush(): void {
    const last = this.#task;
    this.#task = null;
    last?.();
  }
}
