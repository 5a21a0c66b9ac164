import type { Order, Position } from '../../data-service/face/captures.ts';
import { comparePositions } from './capture-ranges.ts';

/** One range being read: its items up to where it was read, the first ones still to be taken. */
export class Lane<Range, Item extends Position> {
  readonly range: Range;
  /** the last item read so far */
  beyond: Position | null;
  items: readonly Item[] = [];
  taken = 0;
  ended = false;

  constructor(range: Range, beyond: Position | null) {
    this.range = range;
    this.beyond = beyond;
  }

  get head(): Item | undefined {
    return this.items[this.taken];
  }
}

const smallestBatch = 4;
const largestBatch = 1000;

/**
 * Merges ranges that are each in order into one order, without reading any: the caller fills the lanes that ran dry,
 * at once or after a request, and takes what is certain then. So one merge serves synchronous and asynchronous stores.
 */
export class RangeMerge<Range, Item extends Position> {
  readonly #lanes: readonly Lane<Range, Item>[];
  readonly #sign: 1 | -1;
  #batch: number;
  #last: Position | null = null;

  /** `expected`: how many items are wanted in all, as far as known. */
  constructor(ranges: readonly Range[], order: Order, after: Position | null, expected: number) {
    this.#lanes = ranges.map((range) => new Lane(range, after));
    this.#sign = order === 'ascending' ? 1 : -1;
    const share = Math.ceil((ranges.length > 1 ? 1.5 : 1) * (expected / Math.max(1, ranges.length)));
    this.#batch = Math.min(largestBatch, Math.max(smallestBatch, share));
  }

  /** Lanes to fill before more can be taken, and how many items to read for each. */
  dry(): { readonly lanes: readonly Lane<Range, Item>[]; readonly batch: number } {
    const lanes = this.#lanes.filter((lane) => lane.head === undefined && !lane.ended);
    return { lanes, batch: this.#batch };
  }

  /** Fewer items than `batch` end the lane. */
  fill(lane: Lane<Range, Item>, items: readonly Item[], batch: number): void {
    lane.items = items;
    lane.taken = 0;
    lane.ended = items.length < batch;
    lane.beyond = items.at(-1) ?? lane.beyond;
    this.#batch = Math.min(largestBatch, Math.max(this.#batch, batch * 2));
  }

  /** The next items in order, each once, until a lane runs dry; none when all lanes have ended. */
  take(): Item[] {
    const items: Item[] = [];
    for (;;) {
      let first: Lane<Range, Item> | undefined;
      for (const lane of this.#lanes) {
        const { head } = lane;
        if (head === undefined && !lane.ended) return items;
        if (head === undefined) continue;
        if (first === undefined || this.#sign * comparePositions(head, first.head!) < 0) first = lane;
      }
      if (first === undefined) return items;
      const item = first.head!;
      first.taken++;
      if (this.#last === null || comparePositions(item, this.#last) !== 0) items.push(item);
      this.#last = item;
    }
  }
}
