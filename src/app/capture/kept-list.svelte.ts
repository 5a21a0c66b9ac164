import type { CaptureStore } from '../../capture/capture-store.ts';
import type { Capture } from '../../capture/capture.ts';
import { fileNameOf } from '../../outbox/file-name.ts';

/** What a list keeps of a capture: thousands of these are at hand at once. */
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
  /** boxes or classes were corrected by a person */
  readonly corrected: boolean;
  readonly reason: Capture['reason']['kind'];
}

export function keptItem(capture: Capture): KeptItem {
  const { id, image, timeReceivedMs, tags, boxes, classes, correctedAtMs, reason } = capture;
  const { widthPx, heightPx, sizeBytes } = image;
  return {
    ...{ id, name: fileNameOf(capture), timeMs: timeReceivedMs, widthPx, heightPx, sizeBytes, tags },
    ...{ boxCount: boxes.length, classCount: classes.length, corrected: correctedAtMs !== null, reason: reason.kind },
  };
}

const pageSize = 200;
/** Of the time, at most a fifth is spent on reading the list again: a burst changes it thirty times a second. */
const restShare = 4;
const leastRestMs = 100;

type ListedStore = Pick<CaptureStore, 'page' | 'count' | 'sizeBytes' | 'onChange'>;

/** The kept captures, newest first, read as far as they are looked at and again whenever any tab changes them. */
export class KeptList {
  readonly #store: ListedStore;
  readonly #rest: (ms: number) => Promise<void>;
  #items = $state.raw<readonly KeptItem[]>([]);
  #count = $state(0);
  #sizeBytes = $state(0);
  #isRead = $state(false);
  #fault = $state.raw<unknown>(null);
  #wantedRows = pageSize;
  #stale = true;
  #reading: Promise<void> | null = null;

  constructor(store: ListedStore, rest = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))) {
    this.#store = store;
    this.#rest = rest;
    store.onChange(() => void this.refresh());
  }

  /** Those that were read, from the newest on. */
  get items(): readonly KeptItem[] {
    return this.#items;
  }
  get count(): number {
    return this.#count;
  }
  get sizeBytes(): number {
    return this.#sizeBytes;
  }
  /** Whether it was read at all. */
  get isRead(): boolean {
    return this.#isRead;
  }
  /** Why it could not be read. */
  get fault(): unknown {
    return this.#fault;
  }

  /** Rows up to this one are looked at. */
  want(end: number): Promise<void> {
    if (end <= this.#wantedRows && this.#isRead) return Promise.resolve();
    this.#wantedRows = Math.max(this.#wantedRows, Math.ceil(end / pageSize) * pageSize);
    return this.refresh();
  }

  /** Reads again; several calls while one runs are one more. */
  refresh(): Promise<void> {
    this.#stale = true;
    return (this.#reading ??= this.#readWhileStale().finally(() => (this.#reading = null)));
  }

  async #readWhileStale(): Promise<void> {
    while (this.#stale) {
      this.#stale = false;
      const startMs = performance.now();
      try {
        await this.#read();
        this.#fault = null;
      } catch (error) {
        this.#fault = error;
      }
      this.#isRead = true;
      if (this.#stale) await this.#rest(Math.max(leastRestMs, restShare * (performance.now() - startMs)));
    }
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
    this.#items = items;
    this.#count = Math.max(count, items.length);
    this.#sizeBytes = sizeBytes;
  }
}
