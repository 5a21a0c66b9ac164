import { RowSelection } from './row-selection.svelte.ts';

/** The rows of a grid, as far as choosing among them goes. */
export interface ChoosableRows {
  readonly count: number;
  /** undefined while the row is not read */
  idAt(index: number): string | undefined;
  /** Of the rows from one index to the other, both included, in either order. */
  idsBetween(from: number, to: number): Promise<readonly string[]>;
}

/** Which row has the keyboard, and what clicks and keys select. */
export class RowChoice {
  readonly selection = new RowSelection();
  readonly #rows: () => ChoosableRows;
  #current = $state(0);
  #anchor = 0;

  constructor(rows: () => ChoosableRows) {
    this.#rows = rows;
  }

  /** The row that has the keyboard. */
  get current(): number {
    return Math.max(0, Math.min(this.#current, this.#rows().count - 1));
  }

  moveTo(index: number): void {
    this.#current = index;
  }

  /** Other rows are shown. */
  reset(): void {
    this.#current = 0;
    this.#anchor = 0;
    this.selection.clear();
  }

  /** Selects as file managers do: one alone, one more (toggle), or all from the last one (extend). */
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
    if (this.#current !== index) return; // another one was chosen while the rows were read
    if (toggle) this.selection.add(ids);
    else this.selection.set(ids);
  }
}
