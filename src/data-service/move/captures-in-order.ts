import { everyFileOf, everyReadingOf, positionOf, type Position } from '../ports/capture-filter.ts';
import type { DataStore } from '../ports/data-store.ts';
import { byText } from '../ports/name-order.ts';
import type { BinaryRecord, TabularRow } from '../ports/stored-captures.ts';

type Pages<Capture> = AsyncIterable<readonly Capture[]>;

/** A capture as two stores have it; null: that one does not. */
interface Pair<Capture> {
  readonly source: Capture | null;
  readonly target: Capture | null;
}

const pageFiles = 100;
/** A page of readings has at most so many, and about so many bytes. A store that keeps them in sheets decodes some for each page. */
const pageReadings = 5000;
const pageBytes = 8 * 2 ** 20;
const firstReadings = 50;

/** All files of an organization in order. */
export function filesOf({ binary }: Pick<DataStore, 'binary'>, organizationId: string): Pages<BinaryRecord> {
  const filter = everyFileOf(organizationId);
  return pagesOf(
    (after, limit) => binary.page({ filter, order: 'ascending', after, limit }),
    () => pageFiles,
  );
}

/** All readings of an organization in order: few at a time where they are large. */
export function readingsOf({ tabular }: Pick<DataStore, 'tabular'>, organizationId: string): Pages<TabularRow> {
  const filter = everyReadingOf(organizationId);
  return pagesOf(
    (after, limit) => tabular.page({ filter, order: 'ascending', after, limit }),
    (last) => {
      if (last.length === 0) return firstReadings;
      const meanBytes = last.reduce((total, { sizeBytes }) => total + sizeBytes, 1) / last.length;
      return Math.max(1, Math.floor(Math.min(pageReadings, last.length * 4, pageBytes / meanBytes)));
    },
  );
}

async function* pagesOf<Capture extends BinaryRecord | TabularRow>(
  read: (after: Position | null, limit: number) => Promise<readonly Capture[]>,
  limitAfter: (page: readonly Capture[]) => number,
): AsyncGenerator<readonly Capture[], void> {
  let page: readonly Capture[] = [];
  for (let limit = limitAfter(page); ; limit = limitAfter(page)) {
    const last = page.at(-1);
    page = await read(last === undefined ? null : positionOf(last), limit);
    if (page.length > 0) yield page;
    if (page.length < limit) return;
  }
}

/** Puts the captures of two stores, both in order, beside each other, until both have ended, or the target has. */
export async function* pairsOf<Capture extends BinaryRecord | TabularRow>(
  source: Pages<Capture>,
  target: Pages<Capture>,
  until: 'both' | 'target' = 'both',
): AsyncGenerator<Pair<Capture>, void> {
  const [ofSource, ofTarget] = [new Reader(source), new Reader(target)];
  try {
    for (;;) {
      const [one, other] = [await ofSource.head(), await ofTarget.head()];
      if (other === null && (one === null || until === 'target')) return;
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
