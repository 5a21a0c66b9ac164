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

/** So long the last of several waits for another one to come: longer than from a frame of a stream to the next. */
const restMs = 100;

/**
 * Runs a task at most so often: the first at once, then the first that comes when it may, in the same breath as what brought it. The
 * last of those that came too soon runs by itself, a little later, where none comes after it.
 */
export class Pace {
  readonly #everyMs: number;
  readonly #clock: PaceClock;
  #ranAtMs = -Infinity;
  #waiting: (() => void) | null = null;
  #isTimed = false;

  constructor(everyMs: number, clock = pageClock) {
    this.#everyMs = everyMs;
    this.#clock = clock;
  }

  schedule(task: () => void): void {
    if (this.#clock.nowMs() >= this.#ranAtMs + this.#everyMs) return this.now(task);
    this.#waiting = task;
    if (!this.#isTimed) this.#wait();
  }

  /** Runs it at once, in the place of what waits. */
  now(task: () => void): void {
    this.#waiting = null;
    this.#ranAtMs = this.#clock.nowMs();
    task();
  }

  #wait(): void {
    this.#isTimed = true;
    const dueInMs = this.#ranAtMs + this.#everyMs + restMs - this.#clock.nowMs();
    this.#clock.after(dueInMs, () => this.#runWhenDue());
  }

  /** A timer of a task that ran long ago finds nothing, or one that is not due yet. */
  #runWhenDue(): void {
    this.#isTimed = false;
    if (!this.#waiting) return;
    if (this.#clock.nowMs() < this.#ranAtMs + this.#everyMs + restMs) this.#wait();
    else this.now(this.#waiting);
  }
}
