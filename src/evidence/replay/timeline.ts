import type { ResultColumns } from './result-columns.ts';
import type { TimeSpan } from './time-span.ts';

/** How a span is cut into buckets of equal length. */
export interface TimeScale {
  /** start of the first bucket */
  readonly startMs: number;
  readonly bucketMs: number;
  readonly bucketCount: number;
}

/** The captured frames and kept results, by bucket. */
export interface Timeline {
  readonly scale: TimeScale;
  /** frames, by bucket */
  readonly frames: Uint32Array;
  /** kept results, by label and bucket: those of label k begin at k × bucketCount */
  readonly results: Uint32Array;
}

const minuteMs = 60_000;
const bucketLengthsMs = [1000, 10_000, minuteMs, 10 * minuteMs, 60 * minuteMs];
const hourBucketMs = 60 * minuteMs;
const mostBuckets = 200;

/**
 * Chooses buckets for a span: an hour each, and less where the span is short.
 * @param span longer than 0
 * @returns buckets that begin on whole hours, minutes or seconds and cover the span
 * @throws RangeError for a span that is empty or has no ends
 * @example
 * timeScale({ startMs: 0, endMs: 7 * 86_400_000 }); // => { startMs: 0, bucketMs: 3_600_000, bucketCount: 168 }
 * timeScale({ startMs: 500, endMs: 90_500 }); // => { startMs: 0, bucketMs: 1000, bucketCount: 91 }
 */
export function timeScale({ startMs, endMs }: TimeSpan): TimeScale {
  if (!(endMs > startMs) || !Number.isFinite(endMs - startMs)) {
    throw new RangeError(`A span ends after it starts, got ${startMs} to ${endMs}.`);
  }
  const bucketMs = bucketLengthsMs.find((lengthMs) => (endMs - startMs) / lengthMs <= mostBuckets) ?? hourBucketMs;
  // Time zones are apart by quarters of an hour: an hour begins where the local clock says so.
  const offsetMs = new Date(startMs).getTimezoneOffset() * minuteMs;
  const first = Math.floor((startMs - offsetMs) / bucketMs) * bucketMs + offsetMs;
  return { startMs: first, bucketMs, bucketCount: Math.ceil((endMs - first) / bucketMs) };
}

/**
 * Counts frames and kept results.
 * @param columns what was stored
 * @param kept numbers of the kept results, rising
 * @param scale frames outside are not counted
 * @returns counts by bucket; its buffers are the caller's
 * @example
 * const columns = {
 *   timesMs: Float64Array.of(0, 1500), starts: Uint32Array.of(0, 1, 3), labels: Uint32Array.of(0, 0, 0),
 *   scores: Float64Array.of(0.4, 0.6, 0.7), names: ['cat'],
 * };
 * const scale = { startMs: 0, bucketMs: 1000, bucketCount: 2 };
 * [...timelineOf(columns, Uint32Array.of(1, 2), scale).results]; // => [0, 2]
 */
export function timelineOf(columns: ResultColumns, kept: Uint32Array, scale: TimeScale): Timeline {
  const { starts, labels, names } = columns;
  const { bucketCount } = scale;
  const frames = new Uint32Array(bucketCount);
  const results = new Uint32Array(names.length * bucketCount);
  let frame = firstFrameFrom(columns, scale, 0);
  let at = 0;
  while (kept[at]! < starts[frame]!) at++;
  for (let bucket = 0; bucket < bucketCount; bucket++) {
    const next = firstFrameFrom(columns, scale, bucket + 1);
    frames[bucket] = next - frame;
    for (const end = starts[next]!; kept[at]! < end; at++) {
      const cell = labels[kept[at]!]! * bucketCount + bucket;
      results[cell] = results[cell]! + 1;
    }
    frame = next;
  }
  return { scale, frames, results };
}

/** The first frame of a bucket or a later one; the number of frames: there is none. */
function firstFrameFrom({ timesMs }: ResultColumns, { startMs, bucketMs }: TimeScale, bucket: number): number {
  let [low, high] = [0, timesMs.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (Math.floor((timesMs[middle]! - startMs) / bucketMs) >= bucket) high = middle;
    else low = middle + 1;
  }
  return low;
}
