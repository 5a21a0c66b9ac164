import type { CaptureParcel } from './capture.ts';
import type { CaptureStore } from './capture-store.ts';

/** One transaction for what came while the last one ran: fifty small writes cost hardly more than one. */
const mostInOneWrite = 50;

/**
 * Writes captures as fast as the store takes them, many in one transaction. A capture that could not be written stays in
 * hand: it can be tried again, or downloaded.
 */
export class CaptureWriter {
  readonly #store: Pick<CaptureStore, 'put'>;
  #waiting: Job[] = [];
  #unsaved: readonly CaptureParcel[] = [];
  #writing = false;
  readonly #onChange: () => void;

  /** @param onChange called when what is waiting or in hand changed */
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

  /** Resolves when the capture is durable. @throws CaptureStoreError; the capture is then among `unsaved` */
  keep(parcel: CaptureParcel): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ parcel, resolve, reject });
      this.#onChange();
      if (!this.#writing) void this.#write();
    });
  }

  /** Tries what could not be written again. @throws the first error; the rest stays in hand */
  async retry(): Promise<void> {
    const again = this.#unsaved;
    this.#unsaved = [];
    this.#onChange();
    const results = await Promise.allSettled(again.map((parcel) => this.keep(parcel)));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  }

  /** Gives a capture up: it was downloaded, or is not wanted. */
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

  /** All in one; where that fails each for itself, since a full disk may still have room for some. */
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
