import type { Mp4Video } from './read-mp4.ts';

/** The frames of a video track in the order in which they are shown. */
export interface ShownFrames {
  readonly count: number;
  /** when each is shown, in µs from the start of the video, rising */
  readonly timeUs: Float64Array;
  /** which sample each is, in decoding order */
  readonly sample: Uint32Array;
  readonly durationUs: number;
}

/**
 * Orders frames as a player shows them: later than decoded where frames refer to later ones, and without those before the start of the edit
 * list.
 * @param video as `readMp4` gives it
 * @returns its frames with their times
 * @example
 * const samples = { count: 2, shownAt: Float64Array.of(20, 10), duration: Uint32Array.of(10, 10) };
 * Array.from(shownFrames({ samples, timescale: 1000, shownFrom: 10 }).timeUs); // => [0, 10000]
 */
export function shownFrames({
  samples,
  timescale,
  shownFrom,
}: Pick<Mp4Video, 'timescale' | 'shownFrom'> & {
  readonly samples: Pick<Mp4Video['samples'], 'count' | 'shownAt' | 'duration'>;
}): ShownFrames {
  const { count, shownAt, duration } = samples;
  const shown: number[] = [];
  for (let at = 0; at < count; at++) if (shownAt[at]! >= shownFrom || count === 1) shown.push(at);
  const sample = Uint32Array.from(shown.sort((a, b) => shownAt[a]! - shownAt[b]! || a - b));
  const toUs = (time: number): number => Math.round(((time - shownFrom) * 1e6) / timescale);
  const timeUs = Float64Array.from(sample, (at) => toUs(shownAt[at]!));
  const last = sample.at(-1);
  const durationUs = last === undefined ? 0 : toUs(shownAt[last]! + duration[last]!);
  return { count: sample.length, timeUs, sample, durationUs };
}

/**
 * Finds where decoding has to begin so that a sample comes out whole: at the last key frame that is shown no later than it.
 * @param samples of the track, in decoding order
 * @param sample the wanted one
 * @returns a sample at or before it
 * @example
 * const samples = { shownAt: Float64Array.of(0, 10, 30, 20), isKey: Uint8Array.of(1, 0, 1, 0) };
 * decodeFrom(samples, 3); // => 0
 */
export function decodeFrom({ shownAt, isKey }: Pick<Mp4Video['samples'], 'shownAt' | 'isKey'>, sample: number): number {
  for (let at = sample; at > 0; at--) if (isKey[at] && shownAt[at]! <= shownAt[sample]!) return at;
  return 0;
}

/**
 * Finds the frame that is on show at a time.
 * @param frames in the order in which they are shown
 * @param us in µs
 * @returns its number; the first frame before its time
 * @example
 * frameAtUs({ timeUs: Float64Array.of(0, 40000, 80000) }, 79999); // => 1
 */
export function frameAtUs({ timeUs }: Pick<ShownFrames, 'timeUs'>, us: number): number {
  let [from, to] = [0, timeUs.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (timeUs[middle]! <= us) from = middle + 1;
    else to = middle;
  }
  return Math.max(0, from - 1);
}
