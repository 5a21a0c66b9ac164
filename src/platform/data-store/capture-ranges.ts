import type { Interval, Order, Position } from '../../data-service/face/captures.ts';
import type { WantedMarks } from './capture-marks.ts';

/** A part of an index, itself in the order of (time requested, id): one stream, or what in it bears a mark. */
export interface CaptureRange {
  readonly stream: number;
  readonly mark: string | null;
}

/** `everything`: all captures in order, which the caller filters. */
export type CaptureRanges = readonly CaptureRange[] | 'everything';

/** Merging costs a look-up for each range; past this many, reading past captures of other streams may be cheaper. */
const manyStreams = 64;

/** The ranges that together hold all matches of a filter. */
export function captureRanges(
  streams: { readonly matching: readonly number[]; readonly total: number },
  { anyOf }: WantedMarks,
): CaptureRanges {
  const { matching, total } = streams;
  if (anyOf !== null) return matching.flatMap((stream) => anyOf.map((mark) => ({ stream, mark })));
  if (matching.length > manyStreams && matching.length * 2 > total) return 'everything';
  return matching.map((stream) => ({ stream, mark: null }));
}

/** Both ends are out; null where nothing can lie between them. */
export interface OpenBounds {
  readonly lower: Position;
  readonly upper: Position;
}

/** The part of an interval beyond a position. Ids are never empty, so (time, '') is before all captures of that time. */
export function boundsBeyond({ start, end }: Interval, order: Order, beyond: Position | null): OpenBounds | null {
  let lower: Position = { time: start ?? -Infinity, id: '' };
  let upper: Position = { time: end ?? Infinity, id: '' };
  if (beyond !== null && order === 'ascending' && comparePositions(beyond, lower) > 0) lower = beyond;
  if (beyond !== null && order === 'descending' && comparePositions(beyond, upper) < 0) upper = beyond;
  return comparePositions(lower, upper) < 0 ? { lower, upper } : null;
}

export function comparePositions(a: Position, b: Position): number {
  if (a.time !== b.time) return a.time < b.time ? -1 : 1;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}
