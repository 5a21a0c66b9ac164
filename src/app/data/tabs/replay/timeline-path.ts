import type { TimeSpan } from '../../../../evidence/replay/time-span.ts';
import type { TimeScale } from '../../../../evidence/replay/timeline.ts';

/** Bars over a timeline as an SVG path: a bucket is 1 wide, `most` is 1 high, y downwards; empty buckets draw nothing. */
export function barPath(counts: ArrayLike<number>, most: number): string {
  let path = '';
  for (let bucket = 0; bucket < counts.length; bucket++) {
    const count = counts[bucket]!;
    if (count > 0) path += `M${bucket} 1V${(1 - count / most).toFixed(4)}h1V1z`;
  }
  return path;
}

/** The upper edge of such bars as a line. */
export function edgePath(counts: ArrayLike<number>, most: number): string {
  let path = '';
  for (let bucket = 0; bucket < counts.length; bucket++) {
    const y = (1 - counts[bucket]! / most).toFixed(4);
    path += `${bucket === 0 ? 'M0 ' : 'V'}${y}H${bucket + 1}`;
  }
  return path;
}

/** Where a moment lies on such an axis, in buckets. */
export const bucketAt = ({ startMs, bucketMs }: TimeScale, timeMs: number): number => (timeMs - startMs) / bucketMs;

/** Spans over the whole height of such an axis, as one path. */
export function bandPath(scale: TimeScale, spans: readonly TimeSpan[]): string {
  return spans
    .map(
      ({ startMs, endMs }) => `M${bucketAt(scale, startMs)} 0H${bucketAt(scale, endMs)}V1H${bucketAt(scale, startMs)}z`,
    )
    .join('');
}

const secondMs = 1000;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const tickStepsMs = [10, 60, 600, 3600, 6 * 3600, 24 * 3600, 7 * 24 * 3600].map((seconds) => seconds * secondMs);
const mostTicks = 9;

/** Moments to write below the axis, on whole local hours and days. */
export function ticksOf({ startMs, bucketMs, bucketCount }: TimeScale): readonly number[] {
  const endMs = startMs + bucketMs * bucketCount;
  const stepMs = tickStepsMs.find((step) => (endMs - startMs) / step <= mostTicks) ?? (endMs - startMs) / mostTicks;
  // Local midnight, so that ticks of hours and days fall on the clock's own.
  const first = new Date(startMs).setHours(0, 0, 0, 0);
  const ticks: number[] = [];
  // A local day has 23 or 25 hours when clocks change.
  const next = (at: number): number => {
    const date = new Date(at);
    return stepMs % dayMs === 0 ? date.setDate(date.getDate() + stepMs / dayMs) : at + stepMs;
  };
  for (let at = first; at < endMs; at = next(at)) if (at >= startMs) ticks.push(at);
  return ticks;
}

/** How a count in a bucket is said: "12 an hour" for buckets of an hour, "12 in 600 s" for shorter ones. */
export function rateText(count: number, bucketMs: number): string {
  if (bucketMs === hourMs) return `${count} an hour`;
  return `${count} in ${bucketMs >= 60_000 ? `${bucketMs / 60_000} min` : `${bucketMs / 1000} s`}`;
}
