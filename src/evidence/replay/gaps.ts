import type { TimeSpan } from './time-span.ts';

/**
 * Finds when nothing was captured.
 * @param timesMs capture times, none before the one in front of it
 * @param span that was asked for: what lacks at its ends counts too
 * @param longerThanMs shorter pauses are no gaps
 * @returns in their order
 * @example
 * gapsIn(Float64Array.of(0, 10, 500), { startMs: 0, endMs: 510 }, 100); // => [{ startMs: 10, endMs: 500 }]
 */
export function gapsIn(timesMs: Float64Array, span: TimeSpan, longerThanMs: number): readonly TimeSpan[] {
  const gaps: TimeSpan[] = [];
  let before = span.startMs;
  for (let frame = 0; frame < timesMs.length; frame++) {
    const timeMs = timesMs[frame]!;
    if (timeMs - before > longerThanMs) gaps.push({ startMs: before, endMs: timeMs });
    before = timeMs;
  }
  if (span.endMs - before > longerThanMs) gaps.push({ startMs: before, endMs: span.endMs });
  return gaps;
}

/**
 * Merges gaps that begin too close to each other to be told apart on a timeline.
 * @param gaps in their order, without overlap
 * @param span that the timeline shows
 * @param pieces into which the timeline is cut
 * @returns all of them where there are no more than `pieces`; otherwise one for those that begin in the same piece, as long as
 * these together
 * @example
 * const gaps = [{ startMs: 0, endMs: 2 }, { startMs: 4, endMs: 7 }, { startMs: 60, endMs: 90 }];
 * mergeGaps(gaps, { startMs: 0, endMs: 100 }, 2); // => [{ startMs: 0, endMs: 5 }, { startMs: 60, endMs: 90 }]
 */
export function mergeGaps(gaps: readonly TimeSpan[], span: TimeSpan, pieces: number): readonly TimeSpan[] {
  if (gaps.length <= pieces) return gaps;
  const pieceMs = (span.endMs - span.startMs) / pieces;
  const merged: TimeSpan[] = [];
  let before = -1;
  for (const { startMs, endMs } of gaps) {
    const piece = Math.floor((startMs - span.startMs) / pieceMs);
    const last = merged.at(-1);
    if (last && piece === before) merged[merged.length - 1] = { ...last, endMs: last.endMs + endMs - startMs };
    else merged.push({ startMs, endMs });
    before = piece;
  }
  return merged;
}

const leastGapMs = 10_000;
const framesInGap = 10;
const mostIntervals = 10_001;

/**
 * A bound for gaps that suits how often was captured.
 * @param timesMs capture times, none before the one in front of it
 * @returns ten times the usual interval, in whole seconds, and at least ten
 * @example
 * usualGapMs(Float64Array.of(0, 200, 400)); // => 10000
 * usualGapMs(Float64Array.of(0, 5000, 10000, 900000)); // => 50000
 */
export function usualGapMs(timesMs: Float64Array): number {
  if (timesMs.length < 2) return leastGapMs;
  // A sample: of each stretch of frames one interval.
  const stride = Math.max(1, Math.ceil(timesMs.length / mostIntervals));
  const intervals: number[] = [];
  for (let at = 1; at < timesMs.length; at += stride) intervals.push(timesMs[at]! - timesMs[at - 1]!);
  intervals.sort((a, b) => a - b);
  const usualMs = intervals[intervals.length >> 1]!;
  return Math.max(leastGapMs, Math.ceil((framesInGap * usualMs) / 1000) * 1000);
}
