/** The clock and timer of a throttle. */
export interface ThrottleClock {
  /** ms of any steady clock */
  nowMs(): number;
  after(ms: number, task: () => void): void;
}

const pageClock: ThrottleClock = { nowMs: () => performance.now(), after: (ms, task) => void setTimeout(task, ms) };

/** How long the last postponed call waits for another one: longer than from one frame of a stream to the next. */
const restMs = 100;

/**
 * Throttles a task: the first call runs at once, and later the first call after the interval, synchronously with
 * it. The last call that came too early runs by a timer if no other follows.
 */
export class Throttle {
  readonly #everyMs: number;
  readonly #clock: ThrottleClock;
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

  /** Runs a task at once and drops the waiting one. */
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

  /** The timer may fire after its task has run, or before another one is due. */
  #runWhenDue(): void {
    this.#isTimed = false;
    if (!this.#waiting) return;
    if (this.#clock.nowMs() < this.#ranAtMs + this.#everyMs + restMs) this.#wait();
    else this.now(this.#waiting);
  }
}
