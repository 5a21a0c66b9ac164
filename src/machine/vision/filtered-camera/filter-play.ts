import type { SeenByServices } from './decide-image.ts';
import type { FilterRule } from './filter-rule.ts';
import { filterStart, filterStep, type FilterOutcome, type FilterState } from './filter-step.ts';

/** A frame of a video, a folder or a row of captures, and what is seen on it. */
export interface TimedFrame<I> {
  /** whatever stands for it, such as its number */
  readonly image: I;
  /** ms since any moment */
  readonly timeMs: number;
  /** called where the data manager asks: of thirty frames a second that is one or two */
  readonly seen: () => SeenByServices;
}

/** How the data manager asks the filtered camera. */
export interface FilterAsking {
  /** the data manager's `capture_frequency_hz`, above 0 */
  readonly captureHz: number;
  /**
   * when it first asks, in ms after the first frame; missing: half of the shorter of its own interval and that of the background
   * worker. On a machine both run on clocks of their own.
   */
  readonly firstCaptureMs?: number;
}

/** Something that happened while frames were played. */
export interface FilterMoment<I> {
  readonly kind: 'background' | 'capture';
  readonly timeMs: number;
  readonly image: I;
  readonly outcome: FilterOutcome<I>;
}

/**
 * Gives a filtered camera the frames of a camera, as its background worker and the data manager would ask for them: each takes the
 * frame that is the newest at its time, and at the same time the worker goes first.
 * @example
 * const rule = { camera: 'cam', inhibitors: [], acceptors: [], beforeMs: 0, afterMs: 0, cooldownMs: 0, imageFrequencyHz: 1, ringSize: 0 };
 * const moments = [];
 * const play = new FilterPlay(rule, { captureHz: 1 }, (moment) => moments.push(moment));
 * for (const timeMs of [0, 1000]) play.add({ image: timeMs, timeMs, seen: () => ({}) });
 * play.end(2000);
 * moments.map(({ kind, timeMs }) => [kind, timeMs]); // => [['capture', 500], ['background', 1000], ['capture', 1500], ['background', 2000]]
 */
export class FilterPlay<I> {
  readonly #rule: FilterRule;
  readonly #onMoment: (moment: FilterMoment<I>) => void;
  readonly #backgroundMs: number;
  readonly #captureMs: number;
  readonly #firstCaptureMs: number;
  #state = filterStart<I>();
  #startMs = 0;
  #newest: TimedFrame<I> | null = null;
  #ticks = 1;
  #asked = 0;

  /**
   * @param rule of `filterRule`
   * @param asking how often the data manager asks
   * @param onMoment called with what happens, in order of time
   * @throws RangeError `captureHz` is not above 0
   */
  constructor(
    rule: FilterRule,
    { captureHz, firstCaptureMs }: FilterAsking,
    onMoment: (moment: FilterMoment<I>) => void,
  ) {
    if (!(captureHz > 0))
      throw new RangeError(`captureHz is ${captureHz}: give how often a second the data manager asks.`);
    this.#rule = rule;
    this.#onMoment = onMoment;
    this.#backgroundMs = backgroundIntervalMs(rule);
    this.#captureMs = 1000 / captureHz;
    this.#firstCaptureMs = firstCaptureMs ?? Math.min(this.#backgroundMs, this.#captureMs) / 2;
  }

  /** What the camera remembers. */
  get state(): FilterState<I> {
    return this.#state;
  }

  /** How many images wait for the data manager; at the end of the frames they are not collected. */
  get waiting(): number {
    return this.#state.toSend.reduce((sum, { images }) => sum + images.length, 0);
  }

  /** When it takes the next image, ms; Infinity: no frame came yet. */
  get nextMs(): number {
    return this.#newest ? this.#next().timeMs : Infinity;
  }

  /** Adds the next frame in order of time; the first one starts the clocks. */
  add(frame: TimedFrame<I>): void {
    if (this.#newest) this.#play((timeMs) => timeMs < frame.timeMs);
    else this.#startMs = frame.timeMs;
    this.#newest = frame;
  }

  /** Plays the last frame up to a time, included. */
  end(endMs: number): void {
    this.#play((timeMs) => timeMs <= endMs);
  }

  #play(isDue: (timeMs: number) => boolean): void {
    if (!this.#newest) return;
    const { image, seen } = this.#newest;
    for (;;) {
      const { kind, timeMs } = this.#next();
      if (!isDue(timeMs)) return;
      const { state, outcome } = filterStep(
        this.#rule,
        this.#state,
        kind === 'background' ? { kind, timeMs, images: [image] } : { kind, timeMs, images: [{ image, seen: seen() }] },
      );
      this.#state = state;
      this.#onMoment({ kind, timeMs, image, outcome });
      if (kind === 'background') this.#ticks++;
      else this.#asked++;
    }
  }

  #next(): Pick<FilterMoment<I>, 'kind' | 'timeMs'> {
    const tickMs = this.#startMs + this.#ticks * this.#backgroundMs;
    const askMs = this.#startMs + this.#firstCaptureMs + this.#asked * this.#captureMs;
    return tickMs <= askMs ? { kind: 'background', timeMs: tickMs } : { kind: 'capture', timeMs: askMs };
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
