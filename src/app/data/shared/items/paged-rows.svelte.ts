/** Gives rows page by page, behind a cursor, in either direction. */
export interface PageSource<Row> {
  count(signal: AbortSignal): Promise<{ readonly count: number; readonly totalSizeBytes: number }>;
  /** At most `limit` rows strictly behind `last` ('': the beginning); with `reverse` from the end backwards. */
  page(
    request: { readonly last: string; readonly limit: number; readonly reverse: boolean },
    signal: AbortSignal,
  ): Promise<{ readonly rows: readonly Row[]; readonly last: string }>;
  /** A cheap text that usually differs once rows were added or deleted: counting a large list takes seconds. */
  glance?(signal: AbortSignal): Promise<string>;
}

/** Small enough to be read between two frames. */
const pageRows = 200;
/** Most pages in memory: 100,000 rows. The least recently shown is dropped first, and read again by its cursor. */
const mostPages = 500;

/**
 * A list of any length that is read where it is shown. The service has cursors but no positions, so a distant row is
 * reached page by page from the nearest known cursor; reading backwards from the end counts as one.
 */
export class PagedRows<Row> {
  readonly #source: PageSource<Row>;
  readonly #onError: (error: unknown) => void;
  #pages = new Map<number, readonly Row[]>();
  /** rows from before a refresh, shown until the new ones arrive */
  #stale = new Map<number, readonly Row[]>();
  /** cursors by page, from the start and, in reverse, from the end */
  #forward = new Map<number, string>([[0, '']]);
  #backward = new Map<number, string>();
  #wanted: readonly [number, number] = [0, pageRows];
  #life = new AbortController();
  #walk: Promise<void> | null = null;
  #version = $state(0);
  /** Number of rows; null until something is read, and the length of the first page until all are counted. */
  total = $state<number | null>(null);
  totalSizeBytes: number = $state(0);
  isCounted: boolean = $state(false);
  isLoading: boolean = $state(false);
  #glance = '';
  #isChecking = false;
  /** a thorough check was requested during another check */
  #checkAgain = false;

  constructor(source: PageSource<Row>, onError: (error: unknown) => void) {
    this.#source = source;
    this.#onError = onError;
  }

  /** The row at an index; undefined until it is read. Reactive. */
  row(index: number): Row | undefined {
    void this.#version;
    return this.#known(index);
  }

  /** The index of a row among those that are read; −1: not found. */
  indexOf(is: (row: Row) => boolean): number {
    for (const [page, rows] of this.#pages) {
      const at = rows.findIndex(is);
      if (at !== -1) return page * pageRows + at;
    }
    return -1;
  }

  /** Reads the rows of this range next, and drops earlier wishes. */
  want(first: number, end: number): void {
    this.#wanted = [Math.max(0, first), Math.max(first + 1, end)];
    void this.#read();
  }

  /** Counts and reads again; the shown rows stay until the new ones arrive. */
  async refresh(): Promise<void> {
    this.#life.abort();
    this.#life = new AbortController();
    const { signal } = this.#life;
    await this.#walk;
    if (signal.aborted) return;
    for (const [page, rows] of this.#pages) this.#stale.set(page, rows);
    this.#pages = new Map();
    this.#forward = new Map([[0, '']]);
    this.#backward = new Map();
    this.isLoading = true;
    try {
      const [{ count, totalSizeBytes }, shortTotal, glance] = await Promise.all([
        this.#source.count(signal),
        this.#readFirst(signal),
        this.#source.glance?.(signal) ?? '',
      ]);
      if (signal.aborted) return;
      this.#glance = glance;
      this.total = shortTotal ?? count;
      this.totalSizeBytes = totalSizeBytes;
      this.isCounted = true;
      await this.#read();
    } catch (error) {
      if (!signal.aborted) this.#onError(error);
    } finally {
      if (!signal.aborted) {
        this.isLoading = false;
        this.#stale = new Map();
        this.#version += 1;
      }
    }
  }

  /** Refreshes if rows were added or deleted, as far as a glance at both ends tells; `thorough` counts all rows. */
  async refreshIfChanged(thorough = false): Promise<void> {
    if (this.#isChecking || this.isLoading || this.#walk || this.total === null) {
      this.#checkAgain ||= thorough;
      return;
    }
    this.#isChecking = true;
    this.#checkAgain = false;
    const { signal } = this.#life;
    try {
      const changed =
        thorough || !this.#source.glance
          ? (await this.#source.count(signal)).count !== this.total
          : (await this.#source.glance(signal)) !== this.#glance;
      if (changed && !signal.aborted) await this.refresh();
    } catch {
      // This is a check in the background: the next foreground read reports errors.
    } finally {
      this.#isChecking = false;
    }
    if (this.#checkAgain && !signal.aborted) await this.refreshIfChanged(true);
  }

  /** The rows from a to b, read as needed. @throws what the service answers */
  async between(a: number, b: number): Promise<readonly Row[]> {
    const [first, end] = [Math.max(0, Math.min(a, b)), Math.min(this.total ?? 0, Math.max(a, b) + 1)];
    const rows: Row[] = [];
    for (let page = Math.floor(first / pageRows); page * pageRows < end; page++) {
      for (let tries = 0; !this.#pages.has(page); tries++) {
        this.#life.signal.throwIfAborted();
        await this.#walk; // one walk at a time: two would read the same pages
        if (!this.#pages.has(page)) await this.#step(page, this.#life.signal);
        if (tries > Math.ceil((this.total ?? 0) / pageRows) + 1) throw new Error('The list changed while it was read.');
      }
      const known = this.#pages.get(page)!;
      rows.push(...known.slice(Math.max(0, first - page * pageRows), end - page * pageRows));
    }
    return rows;
  }

  /** Changes rows in memory, as after an edit, without asking the service. */
  change(change: (row: Row) => Row): void {
    for (const [page, rows] of this.#pages) this.#pages.set(page, rows.map(change));
    this.#version += 1;
  }

  close(): void {
    this.#life.abort();
  }

  /** Shows the first page while the rows are counted. Returns their number if that page holds all of them. */
  async #readFirst(signal: AbortSignal): Promise<number | null> {
    const { rows, last } = await this.#source.page({ last: '', limit: pageRows, reverse: false }, signal);
    if (signal.aborted) return null;
    if (last !== '') this.#forward.set(1, last);
    this.#keep(0, rows);
    this.total ??= rows.length;
    return rows.length < pageRows ? rows.length : null;
  }

  #known(index: number): Row | undefined {
    const page = Math.floor(index / pageRows);
    return (this.#pages.get(page) ?? this.#stale.get(page))?.[index - page * pageRows];
  }

  #read(): Promise<void> {
    if (this.#walk === null && this.#missing() !== null) this.#walk = this.#readWanted(this.#life.signal);
    return this.#walk ?? Promise.resolve();
  }

  async #readWanted(signal: AbortSignal): Promise<void> {
    try {
      for (let missing = this.#missing(); missing !== null && !signal.aborted; missing = this.#missing()) {
        await this.#step(missing, signal);
      }
    } catch (error) {
      if (!signal.aborted) this.#onError(error);
    } finally {
      this.#walk = null; // synchronous with the last check, so that a later wish begins a new walk
    }
  }

  #missing(): number | null {
    const [first, end] = this.#wanted;
    const last = Math.min(end, this.total ?? 0);
    for (let page = Math.floor(first / pageRows); page * pageRows < last; page++)
      if (!this.#pages.has(page)) return page;
    return null;
  }

  /** Reads one page: the wanted one if its cursor is known, otherwise the next on the shortest way to it. */
  async #step(wanted: number, signal: AbortSignal): Promise<void> {
    const lastPage = Math.max(0, Math.ceil((this.total ?? 0) / pageRows) - 1);
    if (this.#backward.size === 0) this.#backward.set(lastPage, '');
    const before = nearest(this.#forward, (page) => wanted - page);
    const behind = nearest(this.#backward, (page) => page - wanted);
    const reverse = behind !== null && (before === null || behind - wanted < wanted - before);
    const page = reverse ? behind : before!;
    const limit = reverse && page === lastPage ? (this.total ?? 0) - lastPage * pageRows : pageRows;
    const last = (reverse ? this.#backward : this.#forward).get(page)!;
    const { rows, last: next } = await this.#source.page({ last, limit, reverse }, signal);
    if (signal.aborted) return;
    if (next !== '') (reverse ? this.#backward : this.#forward).set(page + (reverse ? -1 : 1), next);
    this.#keep(page, reverse ? rows.toReversed() : rows);
    // A walk that ends early shows that there are fewer rows than counted.
    if (!reverse && rows.length < limit) this.total = Math.min(this.total ?? 0, page * pageRows + rows.length);
  }

  #keep(page: number, rows: readonly Row[]): void {
    this.#pages.delete(page);
    this.#pages.set(page, rows);
    if (this.#pages.size > mostPages) this.#pages.delete(this.#pages.keys().next().value!);
    this.#version += 1;
  }
}

/** The known page nearest to the wanted one on its side; null: none. */
function nearest(cursors: ReadonlyMap<number, string>, distance: (page: number) => number): number | null {
  let best: number | null = null;
  for (const page of cursors.keys())
    if (distance(page) >= 0 && (best === null || distance(page) < distance(best))) best = page;
  return best;
}
