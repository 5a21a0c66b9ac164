import { SharedLists } from '../../../evidence/evaluation/face/sets.ts';
import type { FootageFrame } from '../../../evidence/footage/footage-frame.ts';
import { framesAPage, pageOf } from '../../../evidence/footage/pack-frames.ts';
import { runIsGone, type FootageStore, type KeptRun } from '../../../platform/ports/footage-store.ts';
import { oneAtATime } from '../../../base/schedule/one-at-a-time.ts';

/** About what a frame takes in memory beside its rows (measured with V8 14), and what a row takes. */
const bytesAFrame = 1100;
const bytesARow = 28;
/** Ten to twenty thousand frames: a clip of ten minutes is filtered again without a read. */
const usualBytes = 32 * 2 ** 20;

/** Names the classes of a frame as the label file does now, whatever it was when the frame ran; null: it has to run again. */
export type RenameFrame = (frame: FootageFrame) => FootageFrame | null;

interface Page {
  readonly frames: FootageFrame[];
  bytes: number;
}

/**
 * The frames of a run. In memory are those that are not kept yet, and the pages that were asked for last; a video of ten
 * hours has a million frames, and its page takes no more memory than that of a short one.
 */
export class RunFrames {
  readonly #store: Pick<FootageStore, 'append' | 'page'>;
  readonly #id: string;
  readonly #mostBytes: number;
  /** the page that was used last is the last one */
  readonly #pages = new Map<number, Page>();
  readonly #labels = new SharedLists();
  #bytes = 0;
  #count = 0;
  #last: FootageFrame | null = null;
  /** number of the last frame that is kept */
  #keptTo = -1;
  readonly #inTurn = oneAtATime();
  #rename: RenameFrame | null = null;

  constructor(store: Pick<FootageStore, 'append' | 'page'>, id: string, mostBytes = usualBytes) {
    this.#store = store;
    this.#id = id;
    this.#mostBytes = mostBytes;
  }

  /** Takes over a run as far as it is kept; null: its last frame is gone. @throws BrowserStoreError */
  static async of(
    store: Pick<FootageStore, 'append' | 'page'>,
    { id, count, last }: Pick<KeptRun, 'id' | 'count' | 'last'>,
    rename: RenameFrame | null = null,
  ): Promise<RunFrames | null> {
    const frames = new RunFrames(store, id);
    frames.#rename = rename;
    if (!last) return frames;
    frames.#keptTo = last.index;
    frames.#count = count;
    frames.#last = (await frames.#page(pageOf(last.index)))?.find(({ index }) => index === last.index) ?? null;
    return frames.#last && frames;
  }

  get count(): number {
    return this.#count;
  }

  /** null: there is none yet */
  get last(): FootageFrame | null {
    return this.#last;
  }

  /** Adds the frame behind the last one. */
  add(given: FootageFrame): void {
    const frame = this.#sharing(given);
    const number = pageOf(frame.index);
    const page = this.#pages.get(number) ?? { frames: [], bytes: 0 };
    // Another tab that goes on with this run may have been there first.
    const isNew = (page.frames.at(-1)?.index ?? -1) < frame.index;
    if (isNew) page.frames.push(frame);
    this.#use(number, page, isNew ? bytesOf(frame) : 0);
    this.#count++;
    this.#last = frame;
  }

  /** Keeps what is not kept yet; what cannot be kept stays in memory. @throws BrowserStoreError */
  keep(run: Omit<KeptRun, 'id' | 'count' | 'last'>): Promise<void> {
    return this.#inTurn(async () => {
      const last = this.#last;
      const fresh: FootageFrame[] = [];
      for (let number = pageOf(this.#keptTo + 1); last && number <= pageOf(last.index); number++)
        for (const frame of this.#pages.get(number)?.frames ?? []) if (frame.index > this.#keptTo) fresh.push(frame);
      const place = last && { index: last.index, timeMs: last.timeMs };
      await this.#store.append({ ...run, id: this.#id, count: this.#count, last: place }, fresh);
      this.#keptTo = last?.index ?? -1;
      this.#makeRoom();
    });
  }

  /** The frames of a page (see `pageOf`), in order. @throws BrowserStoreError, such as where the run is gone */
  async page(number: number): Promise<readonly FootageFrame[]> {
    const frames = await this.#page(number);
    if (!frames) throw runIsGone();
    return frames;
  }

  /** null: the run is gone */
  async #page(number: number): Promise<readonly FootageFrame[] | null> {
    const known = this.#pages.get(number);
    if (known) {
      this.#use(number, known, 0);
      return known.frames;
    }
    if (number < 0 || number > pageOf(this.#keptTo)) return [];
    const kept = await this.#store.page(this.#id, number);
    if (!kept) return null;
    const frames = kept.map((frame) => this.#sharing(frame));
    const before = this.#pages.get(number); // another call read it meanwhile
    if (before) return before.frames;
    const bytes = frames.reduce((sum, frame) => sum + bytesOf(frame), 0);
    this.#use(number, { frames, bytes: 0 }, bytes);
    return frames;
  }

  /** The frames up to the last one of now, in order: all of them. @throws BrowserStoreError, such as where some are gone */
  async *all(): AsyncGenerator<FootageFrame> {
    const [last, count] = [this.#last?.index ?? -1, this.#count];
    let given = 0;
    for (let number = 0; number <= pageOf(last); number++) {
      for (const frame of await this.page(number)) {
        if (frame.index > last) continue;
        given++;
        yield frame;
      }
    }
    if (given < count) throw runIsGone();
  }

  /** The frame of a number, or the last one before it, where that was damaged; null: there is none. @throws BrowserStoreError */
  async upTo(index: number): Promise<FootageFrame | null> {
    for (let number = Math.min(pageOf(index), pageOf(this.#last?.index ?? -1)); number >= 0; number--) {
      const found = (await this.page(number)).findLast((frame) => frame.index <= index);
      if (found) return found;
    }
    return null;
  }

  /** The first frame behind a number; null: there is none. @throws BrowserStoreError */
  async behind(index: number): Promise<FootageFrame | null> {
    for (let number = pageOf(index + 1); number <= pageOf(this.#last?.index ?? -1); number++) {
      const found = (await this.page(number)).find((frame) => frame.index > index);
      if (found) return found;
    }
    return null;
  }

  /** The frame that is on show at a time; null: the first one is later. @throws BrowserStoreError */
  async at(timeMs: number): Promise<FootageFrame | null> {
    let [from, to] = [0, pageOf(this.#last?.index ?? -1)];
    while (from < to) {
      const middle = Math.ceil((from + to) / 2);
      const first = await this.behind(middle * framesAPage - 1);
      if (first && first.timeMs <= timeMs) from = middle;
      else to = middle - 1;
    }
    const shown = (await this.page(from)).findLast((frame) => frame.timeMs <= timeMs);
    return shown ?? this.upTo(from * framesAPage - 1);
  }

  #use(number: number, page: Page, moreBytes: number): void {
    page.bytes += moreBytes;
    this.#bytes += moreBytes;
    this.#pages.delete(number);
    this.#pages.set(number, page);
    this.#makeRoom();
  }

  /** Forgets the pages that were used longest ago. The last one grows; those that are not kept are nowhere else. */
  #makeRoom(): void {
    const newest = pageOf(this.#last?.index ?? -1);
    for (const [number, { bytes }] of this.#pages) {
      if (this.#bytes <= this.#mostBytes) return;
      if (number >= newest || (number + 1) * framesAPage - 1 > this.#keptTo) continue;
      this.#pages.delete(number);
      this.#bytes -= bytes;
    }
  }

  /** Thousands of frames hold one list of labels, not one each. */
  #sharing(given: FootageFrame): FootageFrame {
    const { detections, classifications, ...frame } = this.#rename?.(given) ?? given;
    const shared = <T extends { readonly labels: readonly string[] }>(of: T | null): T | null =>
      of && { ...of, labels: this.#labels.shared(of.labels) };
    return { ...frame, detections: shared(detections), classifications: shared(classifications) };
  }
}

const bytesOf = ({ detections, classifications }: FootageFrame): number =>
  bytesAFrame + bytesARow * (detections?.count ?? 0) + 8 * (classifications?.score.length ?? 0);
