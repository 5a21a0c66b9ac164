import { dueEntries, type DueEntries, type Situation } from './due-entries.ts';
import type { OutboxStore, TargetQueue } from './outbox-store.ts';

/** How many waiting entries of a target are read at once: some may have to wait for one that is being sent. */
const readAtOnce = 16;

/**
 * Reads the outbox's queues ahead of the sender: one read for each entry would be most of the store's work while
 * sending.
 */
export class QueuesAhead {
  readonly #store: Pick<OutboxStore, 'queues'>;
  #queues: readonly TargetQueue[] = [];
  #timesForgotten = 0;

  constructor(store: Pick<OutboxStore, 'queues'>) {
    this.#store = store;
  }

  /** Discards what was read, after a change. */
  forget(): void {
    this.#queues = [];
    this.#timesForgotten++;
  }

  /**
   * Which entries are to be started now: from what was read, and if that is used up, from a new read. No entry is
   * returned twice.
   */
  async take(situation: () => Situation): Promise<DueEntries> {
    let found = dueEntries(this.#queues, situation());
    if (found.due.length === 0) {
      await this.#read();
      found = dueEntries(this.#queues, situation());
    }
    const taken = new Set(found.due.map(({ entry }) => entry.id));
    this.#queues = this.#queues.map(({ target, waiting }) => ({
      target,
      waiting: waiting.filter(({ id }) => !taken.has(id)),
    }));
    return found;
  }

  async #read(): Promise<void> {
    for (;;) {
      const timesForgotten = this.#timesForgotten;
      this.#queues = await this.#store.queues(readAtOnce);
      if (timesForgotten === this.#timesForgotten) return;
    }
  }
}
