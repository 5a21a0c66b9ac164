import { everyFileOf, everyReadingOf, positionOf, type TabularFilter } from '../ports/capture-filter.ts';
import type { DataStore } from '../ports/data-store.ts';
import { byText } from '../ports/name-order.ts';
import type { BinaryRecord, Interval, Micros, TabularRow } from '../ports/stored-captures.ts';
import { pagesOf } from './pages-of.ts';

type Pages<Capture> = AsyncIterable<readonly Capture[]>;

/** A capture as two stores have it; null: that one does not. */
export interface Pair<Capture> {
  readonly source: Capture | null;
  readonly target: Capture | null;
}

const pageFiles = 100;
/** A page of readings has about so many and so many bytes. A store that keeps them in sheets decodes some for each page. */
const [pageReadings, pageBytes] = [5000, 8 * 2 ** 20];
const firstSpan: Micros = 1e6;
/** So far apart, all times that protobuf can say are different numbers. */
export const leastSpan: Micros = 64;

/** All files of an organization in order. */
export function filesOf({ binary }: Pick<DataStore, 'binary'>, organizationId: string): Pages<BinaryRecord> {
  const filter = everyFileOf(organizationId);
  return pagesOf(
    (after) => binary.page({ filter, order: 'ascending', after, limit: pageFiles }),
    pageFiles,
    positionOf,
  );
}

/** All readings of an organization in order, or those of an interval (half-open, [start, end)). */
export const readingsOf = (
  stores: Pick<DataStore, 'tabular'>,
  organizationId: string,
  interval: Interval = { start: null, end: null },
): Pages<TabularRow> => readingPages(stores, { ...everyReadingOf(organizationId), interval }, pageBytes);

/**
 * All readings that match a filter, in order, in pages of about `mostBytes`. A reading may have 4 MB, and thousands of these may follow
 * small ones: so the store is asked how many readings a span of time has, and of which size, before they are read.
 */
export async function* readingPages(
  { tabular }: Pick<DataStore, 'tabular'>,
  all: TabularFilter,
  mostBytes: number,
): AsyncGenerator<readonly TabularRow[], void> {
  const last = all.interval.end ?? Infinity;
  let span = firstSpan;
  let start = await firstTime(tabular, all);
  while (start !== null && start < last) {
    const filter = { ...all, interval: { start, end: Math.min(start + span, last) } };
    const { count, totalSizeBytes } = await tabular.summarize(filter);
    const excess = Math.max(count / pageReadings, totalSizeBytes / mostBytes);
    if (excess > 1 && span > leastSpan) {
      span = Math.max(leastSpan, Math.floor((span * 0.7) / excess));
      continue;
    }
    // also of one instant there may be many
    const limit = Math.max(1, Math.min(pageReadings, Math.floor((mostBytes * count) / (totalSizeBytes + 1))));
    yield* pagesOf((after) => tabular.page({ filter, order: 'ascending', after, limit }), limit, positionOf);
    start += span;
    if (count === 0) start = await firstTime(tabular, { ...all, interval: { start, end: all.interval.end } });
    else span = Math.max(leastSpan, Math.floor(span * Math.min(4, 0.9 / excess)));
  }
}

/** null: there is none */
async function firstTime(tabular: DataStore['tabular'], filter: TabularFilter): Promise<Micros | null> {
  const [first] = await tabular.page({ filter, order: 'ascending', after: null, limit: 1 });
  return first?.timeRequested ?? null;
}

/** Puts the captures of two stores, both in order, beside each other. */
export async function* pairsOf<Capture extends BinaryRecord | TabularRow>(
  source: Pages<Capture>,
  target: Pages<Capture>,
): AsyncGenerator<Pair<Capture>, void> {
  const [ofSource, ofTarget] = [new Reader(source), new Reader(target)];
  try {
    for (;;) {
      const [one, other] = [await ofSource.head(), await ofTarget.head()];
      if (one === null && other === null) return;
      const order = one === null ? 1 : other === null ? -1 : byPlace(one, other);
      if (order <= 0) ofSource.take();
      if (order >= 0) ofTarget.take();
      yield { source: order <= 0 ? one : null, target: order >= 0 ? other : null };
    }
  } finally {
    await ofSource.close();
    await ofTarget.close();
  }
}

/** Merges several scans, each in order, into one that is in order. Its cost grows with captures × scans. */
export async function* mergedOf<Capture extends BinaryRecord | TabularRow>(
  scans: readonly Pages<Capture>[],
): AsyncGenerator<Capture, void> {
  const readers = scans.map((pages) => new Reader(pages));
  try {
    const heads: (Capture | null)[] = [];
    for (const reader of readers) heads.push(await reader.head());
    for (;;) {
      let first: { readonly at: number; readonly capture: Capture } | null = null;
      for (const [at, capture] of heads.entries()) {
        if (capture && (!first || byPlace(capture, first.capture) < 0)) first = { at, capture };
      }
      if (!first) return;
      yield first.capture;
      const reader = readers[first.at]!;
      reader.take();
      heads[first.at] = await reader.head();
    }
  } finally {
    for (const reader of readers) await reader.close();
  }
}

const byPlace = (a: BinaryRecord | TabularRow, b: BinaryRecord | TabularRow): number =>
  a.timeRequested - b.timeRequested || byText(a.id, b.id);

/** Reads pages one item at a time. */
class Reader<Item> {
  readonly #pages: AsyncIterator<readonly Item[]>;
  #page: readonly Item[] = [];
  #next = 0;

  constructor(pages: AsyncIterable<readonly Item[]>) {
    this.#pages = pages[Symbol.asyncIterator]();
  }

  /** The next item, which stays the next one until it is taken; null: there is none. */
  async head(): Promise<Item | null> {
    while (this.#next === this.#page.length) {
      const { done, value } = await this.#pages.next();
      if (done) return null;
      [this.#page, this.#next] = [value, 0];
    }
    return this.#page[this.#next]!;
  }

  take(): void {
    this.#next++;
  }

  async close(): Promise<void> {
    await this.#pages.return?.();
  }
}
