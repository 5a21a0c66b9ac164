import { singleFlight } from './single-flight.ts';
import { waitFor } from './wait-for.ts';

/** Reading takes at most a fifth of the time: a burst of captures changes the data thirty times a second. */
const restShare = 4;
const leastRestMs = 100;

/** Single-flight with a trailing run: reads whenever something changed, and several changes during a read cause one more read. */
export class RefreshLoop {
  readonly #run: () => Promise<void>;
  readonly #read: () => Promise<void>;
  readonly #rest: (ms: number) => Promise<void>;
  #stale = false;

  /** `read` must not reject. */
  constructor(read: () => Promise<void>, rest: (ms: number) => Promise<void> = waitFor) {
    this.#read = read;
    this.#rest = rest;
    this.#run = singleFlight(() => this.#readAll());
  }

  /** Resolves when everything that changed before this call was read. */
  refresh(): Promise<void> {
    this.#stale = true;
    return this.#run();
  }

  async #readAll(): Promise<void> {
    while (this.#stale) {
      this.#stale = false;
      const startMs = performance.now();
      await this.#read();
      if (this.#stale) await this.#rest(Math.max(leastRestMs, restShare * (performance.now() - startMs)));
    }
  }
}
