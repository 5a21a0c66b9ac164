import type { OutboxEntry, OutboxState, UploadProgress } from '../../../../outbox/outbox-entry.ts';
import type { OutboxTarget } from '../../../../outbox/outbox-target.ts';
import { errorMessage } from '../../../../vision/error-words.ts';
import type { CaptureHost } from '../../../captures/capture-host.ts';
import { RefreshLoop } from '../../../../schedule/refresh-loop.ts';

const pageSize = 100;
const noCounts: Readonly<Record<OutboxState, number>> = { waiting: 0, sending: 0, sent: 0, failed: 0 };

type OutboxTabHost = Pick<CaptureHost, 'outbox' | 'outboxStore' | 'onProgress' | 'onFailure'>;

/** The outbox as it is shown: what is in it, how far it is, where it goes. */
export class OutboxTabState {
  readonly #host: OutboxTabHost;
  readonly #loop: RefreshLoop;
  /** Newest first, as far as they are looked at. */
  entries = $state.raw<readonly OutboxEntry[]>([]);
  counts: Readonly<Record<OutboxState, number>> = $state.raw(noCounts);
  targets = $state.raw<readonly OutboxTarget[]>([]);
  paused: boolean = $state(false);
  isRead: boolean = $state(false);
  #progress = $state.raw<Readonly<Record<string, UploadProgress>>>({});
  /** Why the outbox as a whole does not work; '' while it does. */
  fault: string = $state('');
  /** Only entries in this state are listed; null = all. */
  shown = $state<OutboxState | null>(null);
  #wantedRows = pageSize;

  constructor(host: OutboxTabHost) {
    this.#host = host;
    this.#loop = new RefreshLoop(() => this.#read());
  }

  /** Follows the outbox until the returned function is called. */
  watch(): () => void {
    const ends = [
      this.#host.outboxStore.onChange(() => void this.#loop.refresh()),
      this.#host.onProgress((entryId, progress) => (this.#progress = { ...this.#progress, [entryId]: progress })),
      this.#host.onFailure((error) => (this.fault = errorMessage(error))),
    ];
    void this.#loop.refresh();
    return () => ends.forEach((end) => end());
  }

  nameOf(targetId: string): string {
    return this.targets.find(({ id }) => id === targetId)?.name ?? 'a server that was removed';
  }

  /** Bytes of an entry that are on their way. */
  progressOf({ id, state, progress }: OutboxEntry): UploadProgress {
    return state === 'sending' ? (this.#progress[id] ?? progress) : progress;
  }

  show(state: OutboxState | null): void {
    this.shown = state;
    this.#wantedRows = pageSize;
    void this.#loop.refresh();
  }

  /** Rows up to this one are looked at. */
  want(end: number): void {
    if (end <= this.#wantedRows) return;
    this.#wantedRows = Math.ceil(end / pageSize) * pageSize;
    void this.#loop.refresh();
  }

  dismissFault(): void {
    this.fault = '';
  }

  /** Does something to the outbox; where that fails it is told above the list. */
  async act(work: (outbox: CaptureHost['outbox']) => Promise<unknown>): Promise<boolean> {
    try {
      await work(this.#host.outbox);
      return true;
    } catch (error) {
      this.fault = errorMessage(error);
      return false;
    } finally {
      void this.#loop.refresh();
    }
  }

  async #read(): Promise<void> {
    const store = this.#host.outboxStore;
    try {
      const entries: OutboxEntry[] = [];
      for (let before: string | null = null; entries.length < this.#wantedRows;) {
        const page: readonly OutboxEntry[] = await store.page(this.shown, before, pageSize);
        entries.push(...page);
        if (page.length < pageSize) break;
        before = page.at(-1)!.id;
      }
      const [counts, targets, paused] = await Promise.all([store.counts(), store.targets(), store.paused()]);
      this.entries = entries;
      this.counts = counts;
      this.targets = targets;
      this.paused = paused;
      // Bytes are remembered only of what is on its way.
      const underWay = entries.filter(({ id, state }) => state === 'sending' && this.#progress[id]);
      this.#progress = Object.fromEntries(underWay.map(({ id }) => [id, this.#progress[id]!]));
    } catch (error) {
      this.fault = errorMessage(error);
    }
    this.isRead = true;
  }
}
