/**
 * How long before the expected end of a run the next frame is prepared: enough time to be ready, and the frame is
 * as fresh as possible.
 */
const readyAheadMs = 50;
const mostAtOnce = 3;
/** After this time a person may want to stop the run. */
const stallAfterMs = 3000;

type Activity =
  | { readonly kind: 'idle' }
  /** `sinceMs`: when the model started the frame that it runs now */
  | { readonly kind: 'running'; readonly count: number; readonly sinceMs: number; readonly stall: Timer };
type Timer = ReturnType<typeof setTimeout>;

/** The runs that the worker has not answered: how many more it can be given, and whether an answer is late. */
export class RunsUnderWay {
  /** ms; Infinity before the first result */
  expectedRunMs = Infinity;
  readonly #onStall: (isStalled: boolean) => void;
  #activity: Activity = { kind: 'idle' };

  /** @param onStall called with true when no run has ended for 3 s while one is under way, and with false when that is over */
  constructor(onStall: (isStalled: boolean) => void) {
    this.#onStall = onStall;
  }

  begin(): void {
    if (this.#activity.kind === 'idle') this.#wait(1);
    else this.#activity = { ...this.#activity, count: this.#activity.count + 1 };
  }

  end(): void {
    if (this.#activity.kind === 'idle') throw new Error('A run ended, and none was under way: call begin() first.');
    clearTimeout(this.#activity.stall);
    this.#wait(this.#activity.count - 1);
  }

  /** How many runs may be under way at once. */
  get lanes(): number {
    if (this.#activity.kind === 'idle') return 1;
    const ranMs = performance.now() - this.#activity.sinceMs;
    return Math.min(mostAtOnce, 1 + Math.floor((ranMs + readyAheadMs) / this.expectedRunMs));
  }

  /** The model starts the next frame now, if one is under way. */
  #wait(count: number): void {
    this.#onStall(false);
    this.#activity =
      count === 0
        ? { kind: 'idle' }
        : {
            kind: 'running',
            count,
            sinceMs: performance.now(),
            stall: setTimeout(() => this.#onStall(true), stallAfterMs),
          };
  }
}
