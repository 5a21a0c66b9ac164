import type { SeenByServices } from './decide-image.ts';
import type { FilterRule } from './filter-rule.ts';
import { filterStart, filterStep, type FilterOutcome, type FilterState } from './filter-step.ts';

/** A frame of a video, a folder or a row of captures, and what is seen on it. */
export interface TimedFrame<I> {
  /** whatever stands for it, such as its number */
  readonly image: I;
  /** ms since any moment */
  readonly timeMs: number;
  readonly seen: SeenByServices;
}

/** How the data manager asks the filtered camera. */
export interface FilterAsking {
  /** its `capture_frequency_hz`, above 0 */
  readonly captureHz: number;
  /**
   * when it first asks, in ms after the first frame; missing: half of the shorter of its own interval and that of the background
   * worker. On a machine both run on clocks of their own.
   */
  readonly firstCaptureMs?: number;
}

/** One event of `filterFrames`. */
export interface FilterMoment<I> {
  readonly kind: 'background' | 'capture';
  readonly timeMs: number;
  readonly image: I;
  readonly outcome: FilterOutcome<I>;
}

/** What became of frames. */
export interface FilteredFrames<I> {
  readonly moments: readonly FilterMoment<I>[];
  /** at the end: `toSend` still waits for the data manager */
  readonly state: FilterState<I>;
}

/**
 * Gives a filtered camera the frames of a camera, as its background worker and the data manager would ask for them: each takes the
 * frame that is the newest at its time.
 * @param rule of `filterRule`
 * @param frames in the order of their times
 * @param asking how often the data manager asks
 * @returns what happened, from the first frame to the last
 * @throws RangeError `captureHz` is not above 0
 * @example
 * const rule = { camera: 'cam', inhibitors: [], acceptors: [], beforeMs: 0, afterMs: 0, cooldownMs: 0, imageFrequencyHz: 1, ringSize: 0 };
 * const frames = [0, 1000, 2000].map((timeMs) => ({ image: timeMs, timeMs, seen: {} }));
 * const { moments } = filterFrames(rule, frames, { captureHz: 1 });
 * moments.map(({ kind, timeMs }) => [kind, timeMs]); // => [['capture', 500], ['background', 1000], ['capture', 1500], ['background', 2000]]
 */
export function filterFrames<I>(
  rule: FilterRule,
  frames: readonly TimedFrame<I>[],
  { captureHz, firstCaptureMs }: FilterAsking,
): FilteredFrames<I> {
  if (!(captureHz > 0))
    throw new RangeError(`captureHz is ${captureHz}: give how often a second the data manager asks.`);
  const moments: FilterMoment<I>[] = [];
  let state = filterStart<I>();
  const [start, end] = [frames[0]?.timeMs ?? 0, frames.at(-1)?.timeMs ?? -1];
  const [background, capture] = [backgroundIntervalMs(rule), 1000 / captureHz];
  const first = firstCaptureMs ?? Math.min(background, capture) / 2;
  let newest = 0;
  for (let ticks = 1, asked = 0; ;) {
    const [tickMs, askMs] = [start + ticks * background, start + first + asked * capture];
    const timeMs = Math.min(tickMs, askMs);
    if (!(timeMs <= end)) return { moments, state };
    while (newest + 1 < frames.length && frames[newest + 1]!.timeMs <= timeMs) newest++;
    const { image, seen } = frames[newest]!;
    const isTick = tickMs <= askMs;
    const step = isTick
      ? filterStep(rule, state, { kind: 'background', timeMs, images: [image] })
      : filterStep(rule, state, { kind: 'capture', timeMs, images: [{ image, seen }] });
    state = step.state;
    moments.push({ kind: isTick ? 'background' : 'capture', timeMs, image, outcome: step.outcome });
    if (isTick) ticks++;
    else asked++;
  }
}

/**
 * Gives how often the background worker takes an image.
 * @param rule its `imageFrequencyHz`, above 0
 * @returns whole ms, cut off; Infinity above 1000 images a second, for which the module's timer cannot be made and nothing is taken
 * @example
 * [3, 1000, 1001].map((imageFrequencyHz) => backgroundIntervalMs({ imageFrequencyHz })); // => [333, 1, Infinity]
 */
export function backgroundIntervalMs({ imageFrequencyHz }: Pick<FilterRule, 'imageFrequencyHz'>): number {
  return Math.trunc(1000 / imageFrequencyHz) || Infinity;
}
