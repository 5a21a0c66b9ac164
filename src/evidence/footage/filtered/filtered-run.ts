import { filterCounts, type FilterCounts } from '../../../machine/vision/filtered-camera/filter-counts.ts';
import type { SeenByService } from '../../../machine/vision/filtered-camera/decide-image.ts';
import type { FilterRule } from '../../../machine/vision/filtered-camera/filter-rule.ts';
import type { FilterOutcome, KeptImage } from '../../../machine/vision/filtered-camera/filter-step.ts';
import { FilterPlay } from '../../../machine/vision/filtered-camera/filter-play.ts';
import { detectionsAt } from '../../../machine/vision/filter/filter-detections.ts';
import type { ServiceFilter } from '../../../machine/vision/filter/service-filter.ts';
import type { FootageFrame } from '../footage-frame.ts';

/** How many classifications the module asks for. */
const mostClassifications = 100;

/** How a filtered camera is played. */
export interface FilterSetting {
  /** the part of a rule that can be played: see `playableRule` */
  readonly rule: FilterRule;
  /** how often the data manager asks, a second; above 0 */
  readonly captureHz: number;
}

/** The place of a kept image in the footage. */
export type KeptPlace = Pick<FootageFrame, 'index' | 'name' | 'timeMs'>;

/** What a filtered camera would keep of footage, as counts and as images. */
export interface FilteredRun {
  readonly counts: FilterCounts;
  /** calls of the data manager: what it would store of the same camera without a filter */
  readonly asked: number;
  /** what is stored, in order; a frame can be stored more than once */
  readonly kept: readonly KeptImage<KeptPlace>[];
  /** images that still waited when the footage ended */
  readonly waiting: number;
  readonly durationMs: number;
}

/** Plays the frames of a run to a filtered camera, as its own worker and the data manager would ask for them. */
export class FilteredRunPlay {
  readonly #play: FilterPlay<KeptPlace>;
  readonly #rule: FilterRule;
  readonly #see: (frame: FootageFrame) => SeenByService;
  readonly #service: string;
  readonly #outcomes: FilterOutcome<KeptPlace>[] = [];

  /**
   * @param setting of the camera
   * @param service that ran on the footage
   * @param filter of that service: a filtered camera sees what passes it
   * @throws RangeError where the data manager never asks
   */
  constructor({ rule, captureHz }: FilterSetting, service: string, filter: Pick<ServiceFilter, 'rows' | 'classes'>) {
    this.#rule = rule;
    this.#service = service;
    this.#play = new FilterPlay(rule, { captureHz }, ({ kind, outcome }) => {
      if (kind === 'capture') this.#outcomes.push(outcome);
    });
    this.#see = ({ detections, classifications }) => ({
      detections: detections && detectionsAt(detections, filter.rows(detections).kept),
      classifications: classifications && filter.classes(classifications, mostClassifications),
    });
  }

  /** Adds the next frame in order of time. */
  add(frame: FootageFrame): void {
    const { index, name, timeMs } = frame;
    const seen = () => ({ [this.#service]: this.#see(frame) });
    this.#play.add({ image: { index, name, timeMs }, timeMs, seen });
  }

  /** @returns what became of the frames; the last one stays to the end of the footage */
  end(durationMs: number): FilteredRun {
    this.#play.end(durationMs);
    return {
      counts: filterCounts(this.#rule, this.#outcomes),
      asked: this.#outcomes.length,
      kept: this.#outcomes.flatMap(({ kept }) => kept),
      waiting: this.#play.waiting,
      durationMs,
    };
  }
}
