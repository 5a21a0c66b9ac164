import { Throttle } from '../../../base/schedule/throttle.ts';
import {
  FilteredPlay,
  seenByEach,
  type FilterSetting,
  type KeptPlace,
  type ServiceFilters,
} from '../../../evidence/footage/filtered/filtered-play.ts';
import { silenceMs, StreamBreaks, type StreamBreak } from '../../../evidence/footage/filtered/stream-breaks.ts';
import type { FilterCounts } from '../../../machine/vision/filtered-camera/filter-counts.ts';
import { filterPhase, type FilterPhase } from '../../../machine/vision/filtered-camera/filter-phase.ts';
import type { FilterMoment } from '../../../machine/vision/filtered-camera/filter-play.ts';
import type { KeptImage } from '../../../machine/vision/filtered-camera/filter-step.ts';
import { serviceFilter } from '../../../machine/vision/filter/service-filter.ts';
import type { RawResults } from '../../../machine/vision/run-result.ts';
import type { ServiceFilterRule } from '../../../machine/vision/filter/thresholds.ts';
import type { FrameResult } from '../../../../workers/vision/protocol.ts';
import { LivePictures } from './live-pictures.ts';

/** How many of the last images are shown. */
const mostShown = 12;

/** A person reads no faster. */
const publishEveryMs = 250;

/** The live frames to play to a filtered camera, and how. */
export interface LiveOrder {
  /** the source on the stage */
  readonly source: string;
  /** name of the tuned vision service */
  readonly service: string;
  /** the service's own thresholds, which come before the filter */
  readonly thresholds: ServiceFilterRule;
  /** the service that runs beside it; null: none */
  readonly beside: LiveBeside | null;
  readonly setting: FilterSetting;
}

/** A service that runs beside the tuned one on the same images. */
export interface LiveBeside {
  readonly service: string;
  readonly modelId: string;
  readonly thresholds: ServiceFilterRule;
}

/** A result of the stage, and how its frame came. */
export interface LiveFrame {
  readonly result: FrameResult;
  /** whether frames follow each other by themselves */
  readonly isStreaming: boolean;
  /** the source's frames have no time of their own: they count from when the page got them */
  readonly isTimedByPage: boolean;
  /** identifies what the results depend on; undefined: unknown */
  readonly madeBy: string | undefined;
}

/** Why counting began when it did. */
export type LiveSince = 'opened' | 'source' | 'setting' | 'results';

/** What a filtered camera would have done with the frames so far, and what it does now. */
export interface LiveCounts {
  readonly counts: FilterCounts;
  /** calls of the data manager */
  readonly asked: number;
  /** images that wait for the data manager */
  readonly waiting: number;
  /** time of the source; pauses and what was not seen do not count */
  readonly durationMs: number;
  readonly phase: FilterPhase;
}

/** The place of a frame, and when the page got it, ms since 1970. */
interface LivePlace extends KeptPlace {
  readonly atMs: number;
}

export interface LiveImage {
  readonly kept: KeptImage<LivePlace>;
  readonly picture: Promise<string>;
}

interface LivePorts {
  /** The picture on the stage when this is called. */
  readonly copyStage: () => Promise<ImageBitmap | null>;
  /** Makes a data URL of a picture, which it takes over. */
  readonly small: (picture: ImageBitmap) => string;
  readonly throttle?: Throttle;
}

/** What a filtered camera would keep of the frames on the stage, as they come. */
export class LiveFilter {
  readonly #ports: LivePorts;
  readonly #throttle: Throttle;
  #pictures: LivePictures;
  #order: LiveOrder | null = null;
  #orderKey = '';
  #madeBy: string | undefined;
  #play: FilteredPlay<LivePlace> | null = null;
  #breaks = new StreamBreaks();
  #passedMs = 0;
  #startMs = 0;
  #lastMs: number | null = null;
  #shown: readonly LiveImage[] = [];
  #quiet: ReturnType<typeof setTimeout> | undefined;
  #now = $state.raw<LiveCounts | null>(null);
  #images = $state.raw<readonly LiveImage[]>([]);
  #break = $state.raw<StreamBreak | null>(null);
  #since = $state.raw<LiveSince>('opened');
  #isSilent = $state(false);

  constructor(ports: LivePorts) {
    this.#ports = ports;
    this.#pictures = new LivePictures(ports.small);
    this.#throttle = ports.throttle ?? new Throttle(publishEveryMs);
  }

  /** null: no frame came yet */
  get now(): LiveCounts | null {
    return this.#now;
  }

  /** The last images that would be kept, each once, the newest first. */
  get images(): readonly LiveImage[] {
    return this.#images;
  }

  /** Where frames last did not follow each other; null: they did. */
  get break(): StreamBreak | null {
    return this.#break;
  }

  get since(): LiveSince {
    return this.#since;
  }

  /** Whether frames should come, and none does. */
  get isSilent(): boolean {
    return this.#isSilent;
  }

  /** Counts from now on under an order; one that is the same goes on. */
  follow(order: LiveOrder): void {
    const key = JSON.stringify(order);
    if (key === this.#orderKey) return;
    const before = this.#order;
    this.#order = order;
    this.#orderKey = key;
    this.#begin(!before ? 'opened' : before.source === order.source ? 'setting' : 'source');
  }

  /** Takes the next result. */
  take({ result, isStreaming, isTimedByPage, madeBy }: LiveFrame): void {
    if (!this.#order || madeBy === undefined) return;
    const results = resultsOf(result, this.#order);
    if (!results) return;
    if (this.#madeBy !== undefined && madeBy !== this.#madeBy) this.#begin('results');
    this.#madeBy = madeBy;
    const { name, index, timestampMs, takenAtMs = timestampMs } = result.frame;
    const timeMs = isTimedByPage ? takenAtMs : timestampMs;
    const filters = filtersOf(this.#order);
    this.#play ??= new FilteredPlay<LivePlace>(this.#order.setting, (moment) => this.#happened(moment));
    const ranMs = result.timings.totalMs + (result.besideMs ?? 0);
    this.#listen(isStreaming, silenceMs(ranMs));
    const found = this.#breaks.next({ timeMs, atMs: takenAtMs, isStreaming, ranMs });
    if (found) {
      this.#play.restart();
      this.#pictures.leave();
      this.#passedMs = this.#durationMs;
      this.#break = found;
    }
    if (found || this.#lastMs === null) this.#startMs = timeMs;
    const stepMs = this.#lastMs === null || found ? Infinity : timeMs - this.#lastMs;
    this.#lastMs = timeMs;
    const place = { name, index, timeMs, atMs: takenAtMs };
    this.#play.add(place, () => seenByEach(results, filters));
    // Of a frame that the next one surely replaces before the camera takes it, no picture is needed.
    if (this.#play.nextMs < timeMs + 2 * stepMs + 100) this.#pictures.offer(place, this.#ports.copyStage());
    else this.#pictures.leave();
    this.#throttle.schedule(this.#publish);
  }

  /** Ends: nothing is counted any more. */
  end(): void {
    clearTimeout(this.#quiet);
    this.#pictures.leave();
    this.#order = null;
    this.#orderKey = '';
  }

  #begin(since: LiveSince): void {
    this.#pictures.leave();
    this.#play = null;
    this.#breaks = new StreamBreaks();
    [this.#passedMs, this.#lastMs] = [0, null];
    this.#shown = [];
    this.#break = null;
    this.#since = since;
    this.#throttle.now(this.#publish);
  }

  #happened({ image, outcome }: FilterMoment<LivePlace>): void {
    this.#pictures.take(image);
    for (const kept of outcome.kept) {
      if (this.#shown.some((shown) => shown.kept.image === kept.image)) continue;
      this.#shown = [{ kept, picture: this.#pictures.of(kept.image) }, ...this.#shown].slice(0, mostShown);
    }
  }

  get #durationMs(): number {
    return this.#passedMs + (this.#lastMs === null ? 0 : this.#lastMs - this.#startMs);
  }

  readonly #publish = (): void => {
    const play = this.#play;
    this.#images = this.#shown;
    this.#now = play && {
      counts: play.counts,
      asked: play.asked,
      waiting: play.waiting,
      durationMs: this.#durationMs,
      phase: filterPhase(play.state, this.#lastMs ?? 0),
    };
  };

  /** Says so when the next frame is late. */
  #listen(isStreaming: boolean, afterMs: number): void {
    clearTimeout(this.#quiet);
    this.#isSilent = false;
    if (isStreaming) this.#quiet = setTimeout(() => (this.#isSilent = true), afterMs);
  }
}

function filtersOf({ service, thresholds, beside }: LiveOrder): ServiceFilters {
  const filters = { [service]: serviceFilter(thresholds) };
  return beside ? { ...filters, [beside.service]: serviceFilter(beside.thresholds) } : filters;
}

/** The results of each service; null: the one beside did not run on this frame yet. */
function resultsOf(result: FrameResult, { service, beside }: LiveOrder): Readonly<Record<string, RawResults>> | null {
  if (!beside) return { [service]: result };
  const other = result.beside;
  if (other?.visionName !== beside.service || other.modelId !== beside.modelId) return null;
  return { [service]: result, [beside.service]: other };
}
