import type { StructValue, TabularRow } from './capture.ts';
import type { TabularFilter } from './capture-filter.ts';
import type { ReadingOrigin } from './packed-readings.ts';
import type { PathTree } from './path-tree.ts';
import type { FieldHint } from './tabular-store.ts';

/** Readings of one stream that follow each other in the order of all. */
export interface ReadingRun {
  /** the same object for all runs of a stream */
  readonly origin: ReadingOrigin;
  readonly timesRequested: ArrayLike<number>;
  /** the place of the first reading, and the one beyond the last */
  readonly from: number;
  readonly to: number;
  /** Reads of the payload at a place what is wanted, or more than that where its columns are not apart. */
  payloads(tree: PathTree): (place: number) => StructValue;
  row(place: number): TabularRow;
}

/** How many readings of one stream there are; an origin may have several streams. */
export interface OriginCount {
  readonly origin: ReadingOrigin;
  readonly count: number;
}

/** A store that reads the columns of readings apart, at once, where its caller runs. */
export interface ReadingRuns {
  /**
   * All that a filter takes, ascending, on one unchanging state from the first run to the last; null where pages (`pageByHints`) are
   * what answers it sooner. What a run gives stays true.
   */
  readingRuns(filter: TabularFilter, hints: readonly FieldHint[]): Iterable<ReadingRun> | null;

  /**
   * How many readings a filter takes of each stream that it takes any of, in the order of their first ones. For filters
   * without tags and additional parameters.
   */
  originCounts(filter: TabularFilter): Iterable<OriginCount>;
}
