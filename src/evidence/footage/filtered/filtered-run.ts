import type { FilterCounts, KeptImage } from '../../../machine/vision/face/filtered-cameras.ts';
import type { RawResults } from '../../../machine/vision/face/results.ts';
import { FilteredPlay, seenByEach, type FilterSetting, type KeptPlace, type ServiceFilters } from './filtered-play.ts';

/** What a filtered camera would keep of footage, as counts and as images. */
export interface FilteredRun {
  readonly counts: FilterCounts;
  /** calls of the data manager: what it would store of the same camera without a filter */
  readonly asked: number;
  /** images that are stored, in order; a frame can be stored more than once */
  readonly kept: readonly KeptImage<KeptPlace>[];
  /** images that still waited when the footage ended */
  readonly waiting: number;
  readonly durationMs: number;
}

/** Plays the frames of a run to a filtered camera. */
export class FilteredRunPlay {
  readonly #play: FilteredPlay;
  readonly #filters: ServiceFilters;
  readonly #kept: KeptImage<KeptPlace>[] = [];

  /**
   * @param setting of the camera
   * @param filters of the services that ran on the footage: a filtered camera sees what passes them
   * @throws RangeError where the data manager never asks
   */
  constructor(setting: FilterSetting, filters: ServiceFilters) {
    this.#filters = filters;
    this.#play = new FilteredPlay(setting, ({ outcome }) => this.#kept.push(...outcome.kept));
  }

  /** Adds the next frame in order of time, and the results of each service on it. */
  add({ index, name, timeMs }: KeptPlace, results: Readonly<Record<string, RawResults>>): void {
    this.#play.add({ index, name, timeMs }, () => seenByEach(results, this.#filters));
  }

  /** @returns what became of the frames; the last one stays to the end of the footage */
  end(durationMs: number): FilteredRun {
    const play = this.#play;
    play.end(durationMs);
    return { counts: play.counts, asked: play.asked, kept: [...this.#kept], waiting: play.waiting, durationMs };
  }
}
