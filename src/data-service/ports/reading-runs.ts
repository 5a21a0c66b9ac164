import type { StructValue, TabularRow } from './stored-captures.ts';
import type { TabularFilter } from './capture-filter.ts';
import type { ReadingOrigin } from './packed-readings.ts';
import type { PathTree } from './path-tree.ts';
import type { FieldHint } from './tabular-store.ts';

/** Consecutive readings of one stream. */
export interface ReadingRun {
  /** the same object for all runs of a stream */
  readonly origin: ReadingOrigin;
  readonly timesRequested: ArrayLike<number>;
  /** index of the first reading, and of the one after the last */
  readonly from: number;
  readonly to: number;
  /** Returns a function from an index to the needed part of the payload; it may return more than is needed. */
  payloads(tree: PathTree): (place: number) => StructValue;
  row(place: number): TabularRow;
}

/** How many readings of one stream there are; an origin may have several streams. */
export interface OriginCount {
  readonly origin: ReadingOrigin;
  readonly count: number;
}

/** A store that can read columns of readings separately, in the caller's thread. */
export interface ReadingRuns extends OriginCounts {
  /**
   * All readings that match a filter, ascending, in one consistent state; null: pages (`pageByHints`) are faster.
   * The runs stay valid.
   */
  readingRuns(filter: TabularFilter, hints: readonly FieldHint[]): Iterable<ReadingRun> | null;
}

/** A store that can count readings without reading them. */
export interface OriginCounts {
  /**
   * The number of matching readings of each stream, in the order of their first readings. For filters without tags
   * and additional parameters.
   */
  originCounts(filter: TabularFilter): Iterable<OriginCount> | Promise<Iterable<OriginCount>>;
}
