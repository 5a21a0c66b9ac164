import {
  type FilterCounts,
  type FilterMoment,
  FilterPlay,
  type FilterRule,
  type FilterState,
  FilterTally,
  type SeenByService,
  type SeenByServices,
} from '../../../machine/vision/face/filtered-cameras.ts';
import { detectionsAt, type ServiceFilter } from '../../../machine/vision/face/filters.ts';
import type { RawResults } from '../../../machine/vision/face/results.ts';
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

/** The place of an image in the footage. */
export type KeptPlace = Pick<FootageFrame, 'index' | 'name' | 'timeMs'>;

/** Plays frames to a filtered camera, as its own worker and the data manager would ask for them. */
export class FilteredPlay<P extends KeptPlace = KeptPlace> {
  readonly #setting: FilterSetting;
  readonly #onMoment: (moment: FilterMoment<P>) => void;
  readonly #tally: FilterTally;
  #play: FilterPlay<P>;
  #asked = 0;
  #uncollected = 0;

  /**
   * @param setting of the camera
   * @param onMoment called with what happens, in order of time
   * @throws RangeError where the data manager never asks
   */
  constructor(setting: FilterSetting, onMoment: (moment: FilterMoment<P>) => void) {
    this.#setting = setting;
    this.#onMoment = onMoment;
    this.#tally = new FilterTally(setting.rule);
    this.#play = this.#begin();
  }

  /** Adds the next frame in order of time, and what is seen on it. */
  add(place: P, seen: () => SeenByServices): void {
    this.#play.add({ image: place, timeMs: place.timeMs, seen });
  }

  /** The last frame stays up to a time, included. */
  end(timeMs: number): void {
    this.#play.end(timeMs);
  }

  /** Begins with a camera that was just built, as nothing is known of what came meanwhile; counts go on. */
  restart(): void {
    this.#uncollected = this.waiting;
    this.#play = this.#begin();
  }

  /** What the camera remembers. */
  get state(): FilterState<P> {
    return this.#play.state;
  }

  /** When it takes the next image, ms; Infinity: no frame came yet. */
  get nextMs(): number {
    return this.#play.nextMs;
  }

  get counts(): FilterCounts {
    return this.#tally.counts;
  }

  /** calls of the data manager */
  get asked(): number {
    return this.#asked;
  }

  /** images that wait for the data manager, and those that waited at a restart */
  get waiting(): number {
    return this.#uncollected + this.#play.waiting;
  }

  #begin(): FilterPlay<P> {
    const { rule, captureHz } = this.#setting;
    return new FilterPlay(rule, { captureHz }, (moment) => {
      this.#tally.add(moment.outcome);
      if (moment.kind === 'capture') this.#asked++;
      this.#onMoment(moment);
    });
  }
}

/** By name of the vision service. */
export type ServiceFilters = Readonly<Record<string, Pick<ServiceFilter, 'rows' | 'classes'>>>;

/**
 * @param results of vision services on an image, before their filters
 * @param filters of the services: a filtered camera sees what passes them
 * @returns what a filtered camera is told of the image; a service without results fails
 */
export function seenByEach(results: Readonly<Record<string, RawResults>>, filters: ServiceFilters): SeenByServices {
  const seen = Object.entries(filters).flatMap(([service, filter]) => {
    const said = results[service];
    return said ? [[service, seenBy(said, filter)] as const] : [];
  });
  return Object.fromEntries(seen);
}

function seenBy({ detections, classifications }: RawResults, filter: ServiceFilters[string]): SeenByService {
  return {
    detections: detections && detectionsAt(detections, filter.rows(detections).kept),
    classifications: classifications && filter.classes(classifications, mostClassifications),
  };
}
