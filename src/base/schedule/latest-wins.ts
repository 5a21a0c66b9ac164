/**
 * Runs one or two jobs at a time and keeps only the newest waiting item: there is no queue, and items that arrive
 * during a slow job replace each other. A replaced item is passed to `discard` (it may own memory) and its promise
 * resolves to null.
 */
export class LatestWins<Item, Result> {
  readonly #run: (item: Item) => Promise<Result>;
  readonly #discard: (item: Item) => void;
  #waiting: Job<Item, Result> | null = null;
  readonly #lanes: () => number;
  #running = 0;

  /** `lanes` returns how many jobs may run at once; it is called before each job. */
  constructor(run: (item: Item) => Promise<Result>, discard: (item: Item) => void, lanes: () => number = () => 1) {
    this.#run = run;
    this.#discard = discard;
    this.#lanes = lanes;
  }

  offer(item: Item): Promise<Result | null> {
    this.dropWaiting();
    const { promise, resolve, reject } = promiseWithResolvers<Result | null>();
    this.#waiting = { item, promise, resolve, reject };
    if (this.#running < this.#lanes()) void this.#drain();
    return promise;
  }

  /** The promise of the waiting item; null: none waits. */
  get waiting(): Promise<Result | null> | null {
    return this.#waiting?.promise ?? null;
  }

  /** Discards the waiting item; running jobs continue. */
  dropWaiting(): void {
    const overtaken = this.#waiting;
    this.#waiting = null;
    if (!overtaken) return;
    this.#discard(overtaken.item);
    overtaken.resolve(null);
  }

  async #drain(): Promise<void> {
    this.#running++;
    for (let job = this.#take(); job; job = this.#running <= this.#lanes() ? this.#take() : null) {
      try {
        job.resolve(await this.#run(job.item));
      } catch (error) {
        job.reject(error);
      }
    }
    this.#running--;
  }

  #take(): Job<Item, Result> | null {
    const job = this.#waiting;
    this.#waiting = null;
    return job;
  }
}

interface Job<Item, Result> {
  readonly item: Item;
  readonly promise: Promise<Result | null>;
  readonly resolve: (result: Result | null) => void;
  readonly reject: (error: unknown) => void;
}

function promiseWithResolvers<T>() {
  let resolve!: (value: T) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}
