/**
 * Selected rows by id. "All" means every row that matches the filter, read or not, except those deselected afterwards.
 */
export class RowSelection {
  #ids = new Set<string>();
  #all = false;
  #version = $state(0);

  /** true: all rows except `ids`; false: `ids` alone */
  get isAll(): boolean {
    void this.#version;
    return this.#all;
  }

  /** The selected ids; for "all", the deselected ones. */
  get ids(): ReadonlySet<string> {
    void this.#version;
    return this.#ids;
  }

  has(id: string): boolean {
    void this.#version;
    return this.#ids.has(id) !== this.#all;
  }

  /** Number of selected rows, if the filter matches `total`. */
  count(total: number): number {
    void this.#version;
    return this.#all ? Math.max(0, total - this.#ids.size) : this.#ids.size;
  }

  set(ids: Iterable<string>): void {
    this.#change(false, new Set(ids));
  }

  /** Adds these to the selection. */
  add(ids: Iterable<string>): void {
    for (const id of ids)
      if (this.#all) this.#ids.delete(id);
      else this.#ids.add(id);
    this.#version += 1;
  }

  toggle(id: string): void {
    if (!this.#ids.delete(id)) this.#ids.add(id);
    this.#version += 1;
  }

  setAll(): void {
    this.#change(true, new Set());
  }

  clear(): void {
    this.#change(false, new Set());
  }

  #change(all: boolean, ids: Set<string>): void {
    this.#all = all;
    this.#ids = ids;
    this.#version += 1;
  }
}
