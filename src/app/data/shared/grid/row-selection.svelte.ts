/** Rows by id. "All" are those that match the filter, seen or not, but for those taken out again. */
export class RowSelection {
  #ids = new Set<string>();
  #all = false;
  #version = $state(0);

  /** all but `ids`, rather than `ids` */
  get isAll(): boolean {
    void this.#version;
    return this.#all;
  }

  /** Those that were chosen; of "all", those that were taken out. */
  get ids(): ReadonlySet<string> {
    void this.#version;
    return this.#ids;
  }

  has(id: string): boolean {
    void this.#version;
    return this.#ids.has(id) !== this.#all;
  }

  /** How many, where the filter matches `total`. */
  count(total: number): number {
    void this.#version;
    return this.#all ? Math.max(0, total - this.#ids.size) : this.#ids.size;
  }

  set(ids: Iterable<string>): void {
    this.#change(false, new Set(ids));
  }

  /** Also these. */
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
