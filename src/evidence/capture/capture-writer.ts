import type { CaptureParcel } from './capture.ts';
import type { CaptureStore } from './capture-store.ts';

/**
 * How many captures one transaction writes: those that arrive during a transaction are written together in the
 * next, which costs hardly more than one.
 */
const mostInOneWrite = 50;

/**
 * Writes captures as fast as the store accepts them, many in one transaction. A capture that could not be written
 * is kept in memory: it can be retried or downloaded.
 */
export class CaptureWriter {
  readonly #store: Pick<CaptureStore, 'put'>;
  #waiting: Job[] = [];
  #unsaved: readonly CaptureParcel[] = [];
  #writing = false;
  readonly #onChange: () => void;

  /** @param onChange called when the waiting or unsaved captures changed */
  constructor(store: Pick<CaptureStore, 'put'>, onChange: () => void = () => {}) {
    this.#onChange = onChange;
    this.#store = store;
  }

  /** Captures that the store refused, oldest first. */
  get unsaved(): readonly CaptureParcel[] {
    return this.#unsaved;
  }

  /** Captures that are not yet written. */
  get waitingCount(): number {
    return this.#waiting.length;
  }

  /**
   * Resolves when the capture is durable.
   * @throws CaptureStoreError; the capture is then in `unsaved`
   */
  keep(parcel: CaptureParcel): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ parcel, resolve, reject });
      this.#onChange();
      if (!this.#writing) void this.#write();
    });
  }

  /**
   * Retries the unsaved captures.
   * @throws the first error; those that failed stay in `unsaved`
   */
  async retry(): Promise<void> {
    const again = this.#unsaved;
    this.#unsaved = [];
    this.#onChange();
    const results = await Promise.allSettled(again.map((parcel) => this.keep(parcel)));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  }

  /** Drops an unsaved capture, which was downloaded or is not wanted. */
  discard(id: string): void {
    this.#unsaved = this.#unsaved.filter(({ capture }) => capture.id !== id);
    this.#onChange();
  }

  async #write(): Promise<void> {
    this.#writing = true;
    while (this.#waiting.length > 0) {
      const jobs = this.#waiting.slice(0, mostInOneWrite);
      await this.#writeTogether(jobs);
      this.#waiting = this.#waiting.slice(jobs.length);
      this.#onChange();
    }
    this.#writing = false;
  }

  /**
   * Writes all in one transaction; if that fails, each in its own, since a full disk may still have room for some.
   */
  async #writeTogether(jobs: readonly Job[]): Promise<void> {
    try {
      await this.#store.put(jobs.map(({ parcel }) => parcel));
      for (const { resolve } of jobs) resolve();
    } catch (error) {
      if (jobs.length > 1) {
        for (const job of jobs) await this.#writeTogether([job]);
        return;
      }
      const [{ parcel, reject }] = jobs as [Job];
      this.#unsaved = [...this.#unsaved, parcel];
      reject(error);
    }
  }
}

interface Job {
  readonly parcel: CaptureParcel;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}
