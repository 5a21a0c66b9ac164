import { pluralOf } from '../../../kit/words/figures.ts';
import type { DataContext } from '../../context/data-context.ts';
import { emptyFilter, type DataFilter } from '../filters/data-filter.ts';
import { PagedRows } from '../items/paged-rows.svelte.ts';
import { RowChoice } from '../grid/row-choice.svelte.ts';
import type { StoredItem } from '../items/stored-item.ts';
import { storedItems, type SortOrder } from './stored-items.ts';

/**
 * The list of one filter with its selection. It outlives the view of one of its items, so that a return finds the same
 * position.
 */
export class ItemList {
  readonly #context: DataContext;
  readonly #mimeTypes: readonly string[];
  readonly #noun: string;
  readonly #sourceOf: typeof storedItems;
  readonly #choice = new RowChoice(() => ({
    count: this.rows.total ?? 0,
    idAt: (index) => this.rows.row(index)?.id,
    idsBetween: async (from, to) => (await this.rows.between(from, to)).map(({ id }) => id),
  }));
  readonly selection = this.#choice.selection;
  filter = $state.raw<DataFilter>(emptyFilter);
  order = $state<SortOrder>('newest');
  rows: PagedRows<StoredItem> = $state.raw()!;

  /** Empty until `rows` are refreshed. `sourceOf`: the source of the items; default: all that match the filter. */
  constructor(
    context: DataContext,
    mimeTypes: readonly string[],
    noun: string,
    filter: DataFilter = emptyFilter,
    sourceOf = storedItems,
  ) {
    this.#context = context;
    this.#mimeTypes = mimeTypes;
    this.#noun = noun;
    this.#sourceOf = sourceOf;
    this.filter = filter;
    this.rows = this.#read();
  }

  /** Index of the focused item. */
  get current(): number {
    return this.#choice.current;
  }

  /** Shows what matches, unless it is shown already. */
  show(filter: DataFilter, order: SortOrder = this.order): void {
    const same = JSON.stringify([filter, order]) === JSON.stringify([this.filter, this.order]);
    if (same) return;
    this.filter = filter;
    this.order = order;
    this.rows.close();
    this.rows = this.#read();
    this.#choice.reset();
    void this.rows.refresh();
  }

  close(): void {
    this.rows.close();
  }

  moveTo(index: number): void {
    this.#choice.moveTo(index);
  }

  /** @see RowChoice.choose */
  choose(...choice: Parameters<RowChoice['choose']>): Promise<void> {
    return this.#choice
      .choose(...choice)
      .catch((error: unknown) => this.#context.report(error, 'The range could not be selected.'));
  }

  /** The selected ids. For "all" they are read while iterating; files that arrive meanwhile are left out. */
  async *selectedIds(): AsyncGenerator<string> {
    if (!this.selection.isAll) {
      yield* this.selection.ids;
      return;
    }
    const left = new Set(this.selection.ids);
    const total = this.rows.isCounted ? (this.rows.total ?? 0) : Infinity;
    const source = this.#sourceOf(this.#context, this.filter, this.#mimeTypes, this.order);
    const { signal } = new AbortController();
    let last = '';
    for (let read = 0; read < total;) {
      const page = await source.page({ last, limit: 1000, reverse: false }, signal);
      for (const { id } of page.rows) if (!left.has(id)) yield id;
      read += page.rows.length;
      last = page.last;
      if (page.rows.length === 0) return;
    }
  }

  #read(): PagedRows<StoredItem> {
    const source = this.#sourceOf(this.#context, this.filter, this.#mimeTypes, this.order);
    return new PagedRows(source, (error) =>
      this.#context.report(error, `The ${pluralOf(this.#noun)} could not be listed.`),
    );
  }
}
