/** How long frames keep away from a GPU after each failure in a row; after one more they stay away. */
const delaysMs = [1000, 4000, 16_000, 60_000] as const;

/** When frames may go to a GPU again that failed at some: later each time, and in the end no more. */
export class GpuRetries {
  readonly #nowMs: () => number;
  #failures = 0;
  #notBeforeMs = -Infinity;
  #said = '';

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** '' = frames may go there; else why not, in words that follow "because" */
  get refusal(): string {
    if (this.#failures > delaysMs.length) {
      const tried = `the GPU failed at ${this.#failures} frames, and was tried again after a while each time`;
      return `${tried}. Load the model again to try once more. The last time it said: ${this.#said}`;
    }
    const waitMs = this.#notBeforeMs - this.#nowMs();
    if (waitMs <= 0) return '';
    return `the GPU failed on a frame, and is tried again in ${Math.ceil(waitMs / 1000)} s. It said: ${this.#said}`;
  }

  /** A frame goes there. */
  begin() {
    const failuresBefore = this.#failures;
    return {
      succeeded: () => {
        if (this.#failures === failuresBefore) this.#failures = 0;
      },
      /** Of frames that were on their way together the first counts. */
      failed: (said: string) => {
        if (this.#failures !== failuresBefore) return;
        this.#notBeforeMs = this.#nowMs() + (delaysMs[this.#failures] ?? Infinity);
        this.#failures++;
        this.#said = said;
      },
    };
  }
}
