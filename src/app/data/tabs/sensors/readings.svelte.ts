import { Order } from '../../../../gen/app/data/v1/data_pb.ts';
import type { DataContext } from '../../context/data-context.ts';
import { ColumnCollector, type DocumentColumn } from '../../shared/documents/document-columns.ts';
import { wireFilter, type DataFilter } from '../../shared/filters/data-filter.ts';
import { readingRow, type ReadingRow } from './reading-rows.ts';

const pageRows = 1000;
/** That many are read by themselves; more when they are asked for. */
const firstRows = 5_000;
const moreRows = 20_000;

/** The readings that match a filter, the newest first, read in pages. */
export class Readings {
  readonly #context: Pick<DataContext, 'data' | 'home' | 'report'>;
  readonly #filter: DataFilter;
  readonly #left = new AbortController();
  #collector = new ColumnCollector();
  rows = $state.raw<readonly ReadingRow[]>([]);
  columns = $state.raw<readonly DocumentColumn[]>([]);
  /** How many match; null until the service has said. */
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

  /** How many are read when more are asked for. */
  get nextCount(): number {
    return Math.min(moreRows, Math.max(1, (this.total ?? 0) - this.rows.length));
  }

  /** Counts and reads the first of them; `onFirst` is called once there is something to show. */
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

  /** Reads as many more. */
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

  /** Whether there are more or fewer than were counted. */
  async hasChanged(): Promise<boolean> {
    try {
      const filter = this.#wire();
      const { count } = await this.#context.data.tabularDataByFilter(
        { dataRequest: { filter }, countOnly: true },
        { signal: this.#left.signal },
      );
      return this.total !== null && Number(count) !== this.total;
    } catch {
      return false; // a check at the side
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
    // A page is short where its rows are large: only an empty one is the last.
    this.#ended = rows.length === 0 || this.rows.length >= (this.total ?? 0);
  }

  #wire() {
    return wireFilter(this.#filter, this.#context.home.organizationId);
  }
}
