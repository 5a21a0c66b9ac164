import { Order } from '../../../../gen/app/data/v1/data_pb.ts';
import type { DataContext } from '../../context/data-context.ts';
import { ColumnCollector, type DocumentColumn } from '../../shared/documents/document-columns.ts';
import { wireFilter, type DataFilter } from '../../shared/filters/data-filter.ts';
import { readingRow, type ReadingRow } from './reading-rows.ts';

const pageRows = 1000;
/** This many readings are read at first; the person can ask for more. */
const firstRows = 5_000;
const moreRows = 20_000;

/** The readings that match a filter, newest first, read in pages. */
export class Readings {
  readonly #context: Pick<DataContext, 'data' | 'home' | 'report'>;
  readonly #filter: DataFilter;
  readonly #left = new AbortController();
  #collector = new ColumnCollector();
  rows = $state.raw<readonly ReadingRow[]>([]);
  columns = $state.raw<readonly DocumentColumn[]>([]);
  /** The number of matching readings; null until the service has answered. */
  total = $state<number | null>(null);
  totalSizeBytes: number = $state(0);
  isLoading: boolean = $state(false);
  #last = '';
  #ended = $state(false);

  constructor(context: Pick<DataContext, 'data' | 'home' | 'report'>, filter: DataFilter) {
    this.#context = context;
    this.#filter = filter;
  }

  get hasMore(): boolean {
    return !this.#ended;
  }

  /** How many readings `more` reads next. */
  get nextCount(): number {
    return Math.min(moreRows, Math.max(1, (this.total ?? 0) - this.rows.length));
  }

  /** Counts the readings and reads the first ones. `onFirst` is called after the first page. */
  async start(onFirst: () => void): Promise<void> {
    try {
      const filter = this.#wire();
      const answer = await this.#context.data.tabularDataByFilter(
        { dataRequest: { filter }, countOnly: true },
        { signal: this.#left.signal },
      );
      this.total = Number(answer.count);
      this.totalSizeBytes = Number(answer.totalSizeBytes);
    } catch (error) {
      if (!this.#left.signal.aborted) this.#context.report(error, 'The readings could not be counted.');
      return;
    }
    await this.more(pageRows);
    if (this.#left.signal.aborted) return;
    onFirst();
    await this.more(firstRows - pageRows);
  }

  /** Reads `count` more readings. */
  async more(count = moreRows): Promise<void> {
    if (this.isLoading || this.#ended) return;
    this.isLoading = true;
    try {
      const wanted = this.rows.length + count;
      while (!this.#ended && this.rows.length < wanted) await this.#nextPage();
    } catch (error) {
      if (!this.#left.signal.aborted) this.#context.report(error, 'The readings could not be listed.');
    } finally {
      this.isLoading = false;
    }
  }

  /** Whether the number of matching readings has changed since it was counted. */
  async hasChanged(): Promise<boolean> {
    try {
      const filter = this.#wire();
      const { count } = await this.#context.data.tabularDataByFilter(
        { dataRequest: { filter }, countOnly: true },
        { signal: this.#left.signal },
      );
      return this.total !== null && Number(count) !== this.total;
    } catch {
      return false; // a check in the background: its failure is not worth a message
    }
  }

  close(): void {
    this.#left.abort();
  }

  async #nextPage(): Promise<void> {
    const dataRequest = {
      filter: this.#wire(),
      limit: BigInt(pageRows),
      last: this.#last,
      sortOrder: Order.DESCENDING,
    };
    const page = await this.#context.data.tabularDataByFilter({ dataRequest }, { signal: this.#left.signal });
    const rows = page.data.map(({ data, timeRequested, metadataIndex }) =>
      readingRow(timeRequested, page.metadata[metadataIndex]?.componentName ?? '', data),
    );
    for (const row of rows) this.#collector.add(row);
    this.rows = [...this.rows, ...rows];
    this.columns = this.#collector.columns;
    this.#last = page.last;
    // A page of large rows can be shorter than asked for, so a short page is not the end; an empty one is.
    this.#ended = rows.length === 0 || this.rows.length >= (this.total ?? 0);
  }

  #wire() {
    return wireFilter(this.#filter, this.#context.home.organizationId);
  }
}
