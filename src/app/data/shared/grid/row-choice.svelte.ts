import { RowSelection } from './row-selection.svelte.ts';

/** The rows of a grid, as far as selection needs them. */
export interface ChoosableRows {
  readonly count: number;
  /** undefined until the row is read */
  idAt(index: number): string | undefined;
  /** The ids from one index to the other, both included, in either order. */
  idsBetween(from: number, to: number): Promise<readonly string[]>;
}

/** The focused row, and what clicks and keys select. */
export class RowChoice {
  readonly selection = new RowSelection();
  readonly #rows: () => ChoosableRows;
  #current = $state(0);
  #anchor = 0;

  constructor(rows: () => ChoosableRows) {
    this.#rows = rows;
  }

  /** Index of the focused row. */
  get current(): number {
    return Math.max(0, Math.min(this.#current, this.#rows().count - 1));
  }

  moveTo(index: number): void {
    this.#current = index;
  }

  /** Clears focus and selection: other rows are shown. */
  reset(): void {
    this.#current = 0;
    this.#anchor = 0;
    this.selection.clear();
  }

  /** Selects as in file managers: one row alone, one more (toggle), or all from the last one (extend). */
  async choose(
    index: number,
    { extend, toggle }: { readonly extend: boolean; readonly toggle: boolean },
  ): Promise<void> {
    this.#current = index;
    if (!extend) {
      this.#anchor = index;
      const id = this.#rows().idAt(index);
      if (id === undefined) return;
      if (toggle) this.selection.toggle(id);
      else this.selection.set([id]);
      return;
    }
    const ids = await this.#rows().idsBetween(this.#anchor, index);
    if (this.#current !== index) return; // the person selected another row while these were read
    if (toggle) this.selection.add(ids);
    else this.selection.set(ids);
  }
}
