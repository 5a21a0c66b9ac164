import { dueEntries, type DueEntries, type Situation } from './due-entries.ts';
import type { OutboxStore, TargetQueue } from './outbox-store.ts';

/** How many waiting entries of a target are read at once: some of them may have to wait for one that is on its way. */
const readAtOnce = 16;

/** The queues of an outbox, read ahead: so many reads as entries would be most of what a store does while it is sent from. */
export class QueuesAhead {
  readonly #store: Pick<OutboxStore, 'queues'>;
  #queues: readonly TargetQueue[] = [];
  #timesForgotten = 0;

  constructor(store: Pick<OutboxStore, 'queues'>) {
    this.#store = store;
  }

  /** What was read no longer holds. */
  forget(): void {
    this.#queues = [];
    this.#timesForgotten++;
  }

  /** What is to be begun now, by what was read as long as there is some, else by what is there now. Nothing is given twice. */
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
