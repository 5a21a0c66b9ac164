import { Order, type BinaryData } from '../../../gen/app/data/v1/data_pb.ts';
import type { DataContext } from '../data-context.ts';

const PAGE_ROWS = 100;

/** The stored files of some media types, newest first, a page at a time. */
export class StoredFiles {
  readonly #context: DataContext;
  readonly #mimeTypes: readonly string[];
  #files = $state.raw<readonly BinaryData[]>([]);
  #total = $state<number | null>(null);
  #last = '';
  #ended = $state(false);
  #loading = $state(false);

  /** Of all types where none is given. */
  constructor(context: DataContext, mimeTypes: readonly string[]) {
    this.#context = context;
    this.#mimeTypes = mimeTypes;
  }

  get files(): readonly BinaryData[] {
    return this.#files;
  }

  /** How many there are altogether; null until the service has said. */
  get total(): number | null {
    return this.#total;
  }

  get hasMore(): boolean {
    return !this.#ended;
  }

  get isLoading(): boolean {
    return this.#loading;
  }

  async loadMore(signal?: AbortSignal): Promise<void> {
    if (this.#loading || this.#ended) return;
    this.#loading = true;
    const filter = { organizationIds: [this.#context.home.organizationId], mimeType: [...this.#mimeTypes] };
    const options = signal ? { signal } : {};
    try {
      const dataRequest = { filter, limit: BigInt(PAGE_ROWS), last: this.#last, sortOrder: Order.DESCENDING };
      if (this.#total === null) {
        const counted = await this.#context.data.binaryDataByFilter(
          { dataRequest: { filter }, countOnly: true },
          options,
        );
        this.#total = Number(counted.count);
      }
      const page = await this.#context.data.binaryDataByFilter({ dataRequest, includeBinary: false }, options);
      this.#files = [...this.#files, ...page.data];
      this.#last = page.last;
      this.#ended = page.data.length < PAGE_ROWS;
    } catch (error) {
      this.#context.report(error, 'What is stored could not be listed.');
    } finally {
      this.#loading = false;
    }
  }
}
