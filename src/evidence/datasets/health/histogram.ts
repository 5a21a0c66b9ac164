/** A histogram: bin i counts values from `borders[i]` to below `borders[i + 1]`; the last bin includes its upper border. */
export interface Histogram {
  readonly borders: readonly number[];
  readonly counts: readonly number[];
}

export class HistogramCounter {
  readonly #borders: readonly number[];
  readonly #counts: number[];

  /** @param borders ascending; a value beyond them is counted in the first or last bin */
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

/** The index of the bin for a value. */
export function binOf(borders: readonly number[], value: number): number {
  const after = borders.findIndex((border) => value < border);
  return after < 0 ? borders.length - 2 : Math.max(0, after - 1);
}
