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
    this.#counts[binOf(this.#borders, value)]!++;
  }

  histogram(): Histogram {
    return { borders: this.#borders, counts: [...this.#counts] };
  }
}

/** In which bin a value counts. */
export function binOf(borders: readonly number[], value: number): number {
  const after = borders.findIndex((border) => value < border);
  return after < 0 ? borders.length - 2 : Math.max(0, after - 1);
}
