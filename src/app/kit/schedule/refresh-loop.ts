/** Of the time, at most a fifth is spent on reading again: a burst changes what is read thirty times a second. */
const restShare = 4;
const leastRestMs = 100;

/** Reads again whenever it is told that something changed: several tellings while it reads are one more reading. */
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

  /** Resolves when everything that was told until then was read. */
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
