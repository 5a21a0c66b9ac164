import type { CaptureStore } from '../../evidence/capture/capture-store.ts';
import type { Capture } from '../../evidence/capture/capture.ts';
import { fileNameOf } from '../../remote/outbox/file-name.ts';
import { RefreshLoop } from '../../base/schedule/refresh-loop.ts';

/** What a list holds of a capture: thousands of these are in memory at once. */
export interface KeptItem {
  readonly id: string;
  readonly name: string;
  readonly timeMs: number;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly sizeBytes: number;
  readonly tags: readonly string[];
  readonly boxCount: number;
  readonly classCount: number;
  /** whether a person has corrected its boxes or classes */
  readonly corrected: boolean;
  readonly reason: Capture['reason']['kind'];
}

function keptItem(capture: Capture): KeptItem {
  const { id, image, timeReceivedMs, tags, boxes, classes, correctedAtMs, reason } = capture;
  const { widthPx, heightPx, sizeBytes } = image;
  return {
    id,
    name: fileNameOf(capture),
    timeMs: timeReceivedMs,
    widthPx,
    heightPx,
    sizeBytes,
    tags,
    boxCount: boxes.length,
    classCount: classes.length,
    corrected: correctedAtMs !== null,
    reason: reason.kind,
  };
}

const pageSize = 200;
type ListedStore = Pick<CaptureStore, 'page' | 'count' | 'sizeBytes' | 'onChange'>;

/**
 * The stored captures, newest first. They are read as far as a view scrolls, and again whenever any tab changes
 * them.
 */
export class KeptList {
  readonly #store: ListedStore;
  readonly #loop: RefreshLoop;
  /** The captures that were read, newest first. */
  items = $state.raw<readonly KeptItem[]>([]);
  count: number = $state(0);
  sizeBytes: number = $state(0);
  /** Whether the list was read at least once. */
  isRead: boolean = $state(false);
  /** The error of the last read; null: none. */
  fault = $state.raw<unknown>(null);
  #wantedRows = pageSize;

  constructor(store: ListedStore) {
    this.#store = store;
    this.#loop = new RefreshLoop(() => this.#tryToRead());
    store.onChange(() => void this.refresh());
  }

  /** Reads the captures up to this index, which a view is about to show. */
  want(end: number): Promise<void> {
    if (end <= this.#wantedRows && this.isRead) return Promise.resolve();
    this.#wantedRows = Math.max(this.#wantedRows, Math.ceil(end / pageSize) * pageSize);
    return this.refresh();
  }

  refresh(): Promise<void> {
    return this.#loop.refresh();
  }

  async #tryToRead(): Promise<void> {
    try {
      await this.#read();
      this.fault = null;
    } catch (error) {
      this.fault = error;
    }
    this.isRead = true;
  }

  async #read(): Promise<void> {
    const items: KeptItem[] = [];
    for (let before: string | null = null; items.length < this.#wantedRows;) {
      const page: readonly Capture[] = await this.#store.page(before, pageSize);
      items.push(...page.map(keptItem));
      if (page.length < pageSize) break;
      before = page.at(-1)!.id;
    }
    const [count, sizeBytes] = await Promise.all([this.#store.count(), this.#store.sizeBytes()]);
    this.items = items;
    this.count = Math.max(count, items.length);
    this.sizeBytes = sizeBytes;
  }
}
