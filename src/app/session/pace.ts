/** What a pace is kept by. */
export interface PaceClock {
  /** ms of any steady clock */
  nowMs(): number;
  after(ms: number, task: () => void): void;
}

const pageClock: PaceClock = {
  nowMs: () => performance.now(),
  after: (ms, task) => void setTimeout(task, ms),
};

/** Runs a task at most so often: the first at once, and of those that come too soon the last, as soon as it may. */
export class Pace {
  readonly #everyMs: number;
  readonly #clock: PaceClock;
  #ranAtMs = -Infinity;
  #waiting: (() => void) | null = null;

  constructor(everyMs: number, clock = pageClock) {
    this.#everyMs = everyMs;
    this.#clock = clock;
  }

  schedule(task: () => void): void {
    const isWaiting = this.#waiting !== null;
    this.#waiting = task;
    if (!isWaiting) this.#runWhenDue();
  }

  /** Runs it at once, in the place of what waits. */
  now(task: () => void): void {
    this.#waiting = null;
    this.#ranAtMs = this.#clock.nowMs();
    task();
  }

  /** A timer of a task that ran long ago finds nothing, or one that is not due yet. */
  #runWhenDue(): void {
    if (!this.#waiting) return;
    const dueInMs = this.#ranAtMs + this.#everyMs - this.#clock.nowMs();
    if (dueInMs > 0) this.#clock.after(dueInMs, () => this.#runWhenDue());
    else this.now(this.#waiting);
  }
}
