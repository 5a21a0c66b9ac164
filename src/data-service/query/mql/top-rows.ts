import { compare } from 'mingo/util';
import { isDocument, type QueryDocument, type QueryStage, type QueryValue } from '../query-document.ts';
import { pathReader } from './path-reader.ts';

/** A $sort of which only the first documents are used. */
export interface TopSort {
  readonly keys: readonly (readonly [path: string, direction: 1 | -1])[];
  /** how many of the first documents are used */
  readonly limit: number;
}

/** More rows than this are sorted in the normal way. */
const mostTop = 256;

/**
 * Recognizes a $sort whose first `limit` documents are all that later stages use; null if only mingo can read its
 * sort keys.
 */
export function topSort(stage: QueryStage | undefined, limit: number): TopSort | null {
  const spec = stage?.$sort;
  if (!isDocument(spec) || limit > mostTop) return null;
  const keys = Object.entries(spec) as [string, 1 | -1][];
  return keys.some(([path]) => path.split('.').includes('__proto__')) ? null : { keys, limit };
}

type Key = string | number | boolean | Date | null;

/** Keeps the documents that a $sort puts first; the caller decides what is stored of each. */
export class TopRows<Kept> {
  readonly #readers: readonly (readonly [read: (document: QueryDocument) => QueryValue, direction: 1 | -1])[];
  readonly #limit: number;
  /** sorted, the last one first to go */
  readonly #top: { readonly keys: readonly Key[]; readonly order: number; readonly kept: Kept }[] = [];
  #count = 0;

  constructor({ keys, limit }: TopSort) {
    this.#readers = keys.map(([path, direction]) => [pathReader(path), direction]);
    this.#limit = limit;
  }

  /**
   * Returns whether the document could be compared. If a sort key is a list, a document or NaN, which mingo orders
   * by rules of its own, the collected rows must not be used.
   */
  add(document: QueryDocument, keep: () => Kept): boolean {
    const keys: Key[] = [];
    for (const [read] of this.#readers) {
      const value = read(document) ?? null;
      if (!isKey(value)) return false;
      keys.push(value);
    }
    const order = this.#count++;
    // among equal ones the first stays first
    if (this.#top.length === this.#limit && this.#compare(keys, this.#top.at(-1)!.keys) >= 0) return true;
    let [least, most] = [0, this.#top.length];
    while (least < most) {
      const middle = (least + most) >> 1;
      if (this.#compare(keys, this.#top[middle]!.keys) < 0) most = middle;
      else least = middle + 1;
    }
    this.#top.splice(least, 0, { keys, order, kept: keep() });
    if (this.#top.length > this.#limit) this.#top.pop();
    return true;
  }

  /** The rows that were kept, in the order in which they came. */
  inOrder(): Kept[] {
    return this.#top.toSorted((a, b) => a.order - b.order).map(({ kept }) => kept);
  }

  #compare(keys: readonly Key[], others: readonly Key[]): number {
    for (const [index, [, direction]] of this.#readers.entries()) {
      const order = compareKeys(keys[index]!, others[index]!);
      if (order !== 0) return order * direction;
    }
    return 0;
  }
}

const isKey = (value: QueryValue): value is Key =>
  typeof value === 'number' ? !Number.isNaN(value) : typeof value !== 'object' || value === null || isTime(value);

const isTime = (value: QueryValue): value is Date => value instanceof Date && !Number.isNaN(value.getTime());

const compareKeys = (a: Key, b: Key): number =>
  typeof a === 'number' && typeof b === 'number' ? (a < b ? -1 : a > b ? 1 : 0) : compare(a, b);
