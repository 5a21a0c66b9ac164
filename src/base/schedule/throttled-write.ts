const WRITE_AFTER_MS = 250;

/**
 * Debounced writing: writes the newest value after a pause, so that a drag is written once; or at once before the
 * page is closed.
 */
export class ThrottledWrite<Value> {
  readonly #write: (value: Value) => void;
  #waiting: { readonly value: Value } | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(write: (value: Value) => void) {
    this.#write = write;
  }

  save(value: Value): void {
    this.#waiting = { value };
    this.#timer ??= setTimeout(() => this.flush(), WRITE_AFTER_MS);
  }

  /** Writes the waiting value at once. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const waiting = this.#waiting;
    this.#waiting = null;
    if (waiting) this.#write(waiting.value);
  }
}
