import type { OriginCount, Position, TabularFilter, TabularRow } from '../../../data-service/face/captures.ts';
import { boundsBeyond, comparePositions, type OpenBounds } from '../../data-store/capture-ranges.ts';
import type { SqliteCaptures } from './sqlite-captures.ts';

type Captures = SqliteCaptures<TabularRow, TabularFilter>;

/** How many readings each stream has within the filter's interval, in the order of their first ones. Within a transaction. */
export function originCounts(captures: Captures, filter: TabularFilter): readonly OriginCount[] {
  const bounds = boundsBeyond(filter.interval, 'ascending', null);
  if (bounds === null) return [];
  return captures.streams
    .matching(filter)
    .matching.map((stream) => ({
      origin: captures.streams.byId(stream),
      count: captures.countOf(stream, bounds) + captures.sheets!.summarize(stream, bounds).count,
      first: firstOf(captures, stream, bounds),
    }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => comparePositions(a.first!, b.first!));
}

/** Where the first reading of a stream is; null where it has none. */
function firstOf(captures: Captures, stream: number, bounds: OpenBounds): Position | null {
  const [row] = captures.rowsOf(stream, bounds, 1);
  const [item] = captures.sheets!.read(stream, bounds, 'ascending', 1);
  if (row === undefined || item === undefined) return row ?? item ?? null;
  return comparePositions(row, item) < 0 ? row : item;
}
