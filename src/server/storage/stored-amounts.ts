import { everythingOf, type Summary } from '../../data-service/ports/capture-filter.ts';
import type { DataStore } from '../../data-service/ports/data-store.ts';

/** What is stored of all organizations. */
export interface Amounts {
  readonly files: Summary;
  readonly readings: Summary;
}

type Kind = keyof Amounts;

const recountAfterMs = 60_000;

/**
 * Counts what is stored: all of it once, then what is added and taken away. Of readings that were deleted nobody tells the
 * size, so all are counted again after that, once a minute at most.
 */
export class StoredAmounts {
  readonly #store: DataStore;
  readonly #nowMs: () => number;
  #amounts: Record<Kind, Summary> = { files: nothing, readings: nothing };
  #countedMs = -Infinity;
  #isOutdated = true;
  #counting: Promise<void> | null = null;

  /** @param nowMs of any clock that only goes on */
  constructor(store: DataStore, nowMs: () => number) {
    this.#store = store;
    this.#nowMs = nowMs;
  }

  /** As of now, or of a minute ago at most. */
  async current(): Promise<Amounts> {
    if (this.#isOutdated && this.#nowMs() - this.#countedMs >= recountAfterMs) await this.#countAll();
    return this.#amounts;
  }

  added(kind: Kind, sizesBytes: readonly number[]): void {
    this.#add(kind, sizesBytes.length, sum(sizesBytes));
  }

  filesDeleted(sizesBytes: readonly number[]): void {
    this.#add('files', -sizesBytes.length, -sum(sizesBytes));
  }

  readingsDeleted(count: number): void {
    this.#add('readings', -count, 0);
    if (count > 0) this.#isOutdated = true;
  }

  #add(kind: Kind, count: number, bytes: number): void {
    if (this.#counting !== null) this.#isOutdated = true; // whether the count saw it, nobody knows
    const before = this.#amounts[kind];
    this.#amounts = {
      ...this.#amounts,
      [kind]: { count: before.count + count, totalSizeBytes: before.totalSizeBytes + bytes },
    };
  }

  #countAll(): Promise<void> {
    return (this.#counting ??= this.#count().finally(() => (this.#counting = null)));
  }

  async #count(): Promise<void> {
    this.#isOutdated = false;
    const { access, binary, tabular } = this.#store;
    let [files, readings] = [nothing, nothing];
    for (const { id } of await access.listOrganizations()) {
      const everything = everythingOf(id);
      files = both(files, await binary.summarize({ ...everything, mimeTypes: [], boxLabels: [], datasetId: '' }));
      readings = both(readings, await tabular.summarize({ ...everything, additionalParameters: null }));
    }
    this.#amounts = { files, readings };
    this.#countedMs = this.#nowMs();
  }
}

const nothing: Summary = { count: 0, totalSizeBytes: 0 };
const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
const both = (one: Summary, other: Summary): Summary => ({
  count: one.count + other.count,
  totalSizeBytes: one.totalSizeBytes + other.totalSizeBytes,
});
