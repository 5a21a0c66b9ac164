import type { FilterCounts } from '../../../machine/vision/filtered-camera/filter-counts.ts';
import type { KeptImage } from '../../../machine/vision/filtered-camera/filter-step.ts';
import type { ServiceFilter } from '../../../machine/vision/filter/service-filter.ts';
import type { FootageFrame } from '../footage-frame.ts';
import { FilteredPlay, seenBy, type FilterSetting, type KeptPlace } from './filtered-play.ts';

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
  readonly #filter: Pick<ServiceFilter, 'rows' | 'classes'>;
  readonly #service: string;
  readonly #kept: KeptImage<KeptPlace>[] = [];

  /**
   * @param setting of the camera
   * @param service that ran on the footage
   * @param filter of that service: a filtered camera sees what passes it
   * @throws RangeError where the data manager never asks
   */
  constructor(setting: FilterSetting, service: string, filter: Pick<ServiceFilter, 'rows' | 'classes'>) {
    this.#service = service;
    this.#filter = filter;
    this.#play = new FilteredPlay(setting, ({ outcome }) => this.#kept.push(...outcome.kept));
  }

  /** Adds the next frame in order of time. */
  add(frame: FootageFrame): void {
    const { index, name, timeMs } = frame;
    this.#play.add({ index, name, timeMs }, () => ({ [this.#service]: seenBy(frame, this.#filter) }));
  }

  /** @returns what became of the frames; the last one stays to the end of the footage */
  end(durationMs: number): FilteredRun {
    const play = this.#play;
    play.end(durationMs);
    return { counts: play.counts, asked: play.asked, kept: [...this.#kept], waiting: play.waiting, durationMs };
  }
}
