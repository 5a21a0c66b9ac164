/** How long frames avoid a GPU after each failure in a row; after one more failure they avoid it for good. */
const delaysMs = [1000, 4000, 16_000, 60_000] as const;

/** Decides when frames may use a GPU again after failures: later each time, and in the end not at all. */
export class GpuRetries {
  readonly #nowMs: () => number;
  #failures = 0;
  #notBeforeMs = -Infinity;
  #said = '';

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** '': frames may use the GPU; otherwise why not, in words that follow "because" */
  get refusal(): string {
    if (this.#failures > delaysMs.length) {
      const tried = `the GPU failed at ${this.#failures} frames, and was tried again after a while each time`;
      return `${tried}. Load the model again to try once more. The last time it said: ${this.#said}`;
    }
    const waitMs = this.#notBeforeMs - this.#nowMs();
    if (waitMs <= 0) return '';
    return `the GPU failed on a frame, and is tried again in ${Math.ceil(waitMs / 1000)} s. It said: ${this.#said}`;
  }

  /** Records that a frame is sent to the GPU. */
  begin() {
    const failuresBefore = this.#failures;
    return {
      succeeded: () => {
        if (this.#failures === failuresBefore) this.#failures = 0;
      },
      /** Counts a failure, of frames that were in flight together only the first. */
      failed: (said: string) => {
        if (this.#failures !== failuresBefore) return;
        this.#notBeforeMs = this.#nowMs() + (delaysMs[this.#failures] ?? Infinity);
        this.#failures++;
        this.#said = said;
      },
    };
  }
}
