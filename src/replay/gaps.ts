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
  for (const timeMs of timesMs) {
    if (timeMs - before > longerThanMs) gaps.push({ startMs: before, endMs: timeMs });
    before = timeMs;
  }
  if (span.endMs - before > longerThanMs) gaps.push({ startMs: before, endMs: span.endMs });
  return gaps;
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
