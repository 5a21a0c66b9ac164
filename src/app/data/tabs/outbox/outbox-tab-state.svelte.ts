import type { OutboxEntry, OutboxState, UploadProgress } from '../../../../remote/outbox/outbox-entry.ts';
import type { OutboxTarget } from '../../../../remote/outbox/outbox-target.ts';
import { errorMessage } from '../../../../machine/vision/face/errors.ts';
import type { CaptureHost } from '../../../captures/capture-host.ts';
import { RefreshLoop } from '../../../../base/schedule/refresh-loop.ts';

const pageSize = 100;
const noCounts: Readonly<Record<OutboxState, number>> = { waiting: 0, sending: 0, sent: 0, failed: 0 };

type OutboxTabHost = Pick<CaptureHost, 'outbox' | 'outboxStore' | 'onProgress' | 'onFailure'>;

/** The outbox as the tab shows it: its entries, their progress, and the targets. */
export class OutboxTabState {
  readonly #host: OutboxTabHost;
  readonly #loop: RefreshLoop;
  /** The newest entries, down to the last row that was scrolled to. */
  entries = $state.raw<readonly OutboxEntry[]>([]);
  counts: Readonly<Record<OutboxState, number>> = $state.raw(noCounts);
  targets = $state.raw<readonly OutboxTarget[]>([]);
  paused: boolean = $state(false);
  isRead: boolean = $state(false);
  #progress = $state.raw<Readonly<Record<string, UploadProgress>>>({});
  /** Why the outbox or the last action on it failed; '' if nothing did. */
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

  /** The sent bytes of an entry. While it is being sent, the live count replaces the stored one. */
  progressOf({ id, state, progress }: OutboxEntry): UploadProgress {
    return state === 'sending' ? (this.#progress[id] ?? progress) : progress;
  }

  show(state: OutboxState | null): void {
    this.shown = state;
    this.#wantedRows = pageSize;
    void this.#loop.refresh();
  }

  /** Makes sure that entries are read up to this row. */
  want(end: number): void {
    if (end <= this.#wantedRows) return;
    this.#wantedRows = Math.ceil(end / pageSize) * pageSize;
    void this.#loop.refresh();
  }

  dismissFault(): void {
    this.fault = '';
  }

  /** Runs an action on the outbox. A failure is shown above the list. Resolves to whether the action worked. */
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
      // Forget the live count of entries that are no longer being sent.
      const underWay = entries.filter(({ id, state }) => state === 'sending' && this.#progress[id]);
      this.#progress = Object.fromEntries(underWay.map(({ id }) => [id, this.#progress[id]!]));
    } catch (error) {
      this.fault = errorMessage(error);
    }
    this.isRead = true;
  }
}
