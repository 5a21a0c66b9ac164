/** Counts between borders: bin i holds values of `borders[i]` up to below `borders[i + 1]`, the last one its end too. */
export interface Histogram {
  readonly borders: readonly number[];
  readonly counts: readonly number[];
}

export class HistogramCounter {
  readonly #borders: readonly number[];
  readonly #counts: number[];

  /** @param borders ascending; a value beyond them counts in the bin at that end */
  constructor(borders: readonly number[]) {
    this.#borders = borders;
    this.#counts = Array.from({ length: borders.length - 1 }, () => 0);
  }

  add(value: number): void {
    const after = this.#borders.findIndex((border) => value < border);
    const bin = after < 0 ? this.#counts.length - 1 : Math.max(0, after - 1);
    this.#counts[bin]!++;
  }

  histogram(): Histogram {
    return { borders: this.#borders, counts: [...this.#counts] };
  }
}
