/** Reading takes at most a fifth of the time: a burst of captures changes the data thirty times a second. */
const restShare = 4;
const leastRestMs = 100;

/** Reads again whenever something changed: several changes during a read cause one more read. */
export class RefreshLoop {
  readonly #read: () => Promise<void>;
  readonly #rest: (ms: number) => Promise<void>;
  #stale = false;
  #running: Promise<void> | null = null;

  /** `read` must not reject. */
  constructor(read: () => Promise<void>, rest = (ms: number) => new Promise<void>((done) => setTimeout(done, ms))) {
    this.#read = read;
    this.#rest = rest;
  }

  /** Resolves when everything that changed before this call was read. */
  refresh(): Promise<void> {
    this.#stale = true;
    return (this.#running ??= this.#run().finally(() => (this.#running = null)));
  }

  async #run(): Promise<void> {
    while (this.#stale) {
      this.#stale = false;
      const startMs = performance.now();
      await this.#read();
      if (this.#stale) await this.#rest(Math.max(leastRestMs, restShare * (performance.now() - startMs)));
    }
  }
}
