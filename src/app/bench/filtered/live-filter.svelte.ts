import { Throttle } from '../../../base/schedule/throttle.ts';
import {
  FilteredPlay,
  seenByEach,
  type FilterSetting,
  type KeptPlace,
  type ServiceFilters,
} from '../../../evidence/footage/filtered/filtered-play.ts';
import { silenceMs, type StreamBreak } from '../../../evidence/footage/filtered/stream-breaks.ts';
import {
  type FilterCounts,
  type FilterMoment,
  filterPhase,
  type FilterPhase,
  type KeptImage,
} from '../../../machine/vision/face/filtered-cameras.ts';
import { serviceFilter, type ServiceFilterRule } from '../../../machine/vision/face/filters.ts';
import type { RawResults } from '../../../machine/vision/face/results.ts';
import type { FrameResult } from '../../../../workers/vision/protocol.ts';
import { LivePictures } from './live-pictures.ts';
import { LiveStream, type LiveFrame, type LiveSince } from './live-stream.svelte.ts';

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
  readonly #stream = new LiveStream<LiveOrder>({ begin: () => this.#begin() });
  #play: FilteredPlay<LivePlace> | null = null;
  #shown: readonly LiveImage[] = [];
  #quiet: ReturnType<typeof setTimeout> | undefined;
  #now = $state.raw<LiveCounts | null>(null);
  #images = $state.raw<readonly LiveImage[]>([]);
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
    return this.#stream.break;
  }

  get since(): LiveSince {
    return this.#stream.since;
  }

  /** Whether frames should come, and none does. */
  get isSilent(): boolean {
    return this.#isSilent;
  }

  /** Counts from now on under an order; one that is the same goes on. */
  follow(order: LiveOrder): void {
    this.#stream.follow(order);
  }

  /** Takes the next result. */
  take(frame: LiveFrame): void {
    const { result, isStreaming } = frame;
    const { order } = this.#stream;
    const results = order && resultsOf(result, order);
    const moment = results && this.#stream.next(frame);
    if (!moment) return;
    const { timeMs, atMs, ranMs, stepMs } = moment;
    const filters = filtersOf(order);
    this.#play ??= new FilteredPlay<LivePlace>(order.setting, (happened) => this.#happened(happened));
    this.#listen(isStreaming, silenceMs(ranMs));
    if (moment.break) {
      this.#play.restart();
      this.#pictures.leave();
    }
    const { name, index } = result.frame;
    const place = { name, index, timeMs, atMs };
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
    this.#stream.end();
  }

  #begin(): void {
    this.#pictures.leave();
    this.#play = null;
    this.#shown = [];
    this.#throttle.now(this.#publish);
  }

  #happened({ image, outcome }: FilterMoment<LivePlace>): void {
    this.#pictures.take(image);
    for (const kept of outcome.kept) {
      if (this.#shown.some((shown) => shown.kept.image === kept.image)) continue;
      this.#shown = [{ kept, picture: this.#pictures.of(kept.image) }, ...this.#shown].slice(0, mostShown);
    }
  }

  readonly #publish = (): void => {
    const play = this.#play;
    this.#images = this.#shown;
    this.#now = play && {
      counts: play.counts,
      asked: play.asked,
      waiting: play.waiting,
      durationMs: this.#stream.durationMs,
      phase: filterPhase(play.state, this.#stream.lastMs ?? 0),
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
