import { Throttle } from '../../../base/schedule/throttle.ts';
import { EventFinder, type FoundEvent } from '../../../evidence/events/event-finder.ts';
import type { EventRule } from '../../../evidence/events/event-rule.ts';
import { keptScores } from '../../../evidence/footage/events/kept-scores.ts';
import { StreamBreaks, type StreamBreak } from '../../../evidence/footage/filtered/stream-breaks.ts';
import { serviceFilter } from '../../../machine/vision/filter/service-filter.ts';
import type { ServiceFilterRule } from '../../../machine/vision/filter/thresholds.ts';
import type { LiveFrame, LiveSince } from '../filtered/live-filter.svelte.ts';

/** How many of the last events, and of the labels, are shown. */
const mostShown = 12;

/** A person reads no faster. */
const publishEveryMs = 250;

/** The rule, and what it is asked of. */
export interface LiveEventsOrder {
  /** the source on the stage */
  readonly source: string;
  readonly service: string;
  readonly thresholds: ServiceFilterRule;
  readonly rule: EventRule;
}

/** An event, and when the page got the frame in which it began, ms since 1970. */
export interface LiveEvent {
  readonly event: FoundEvent<string>;
  readonly atMs: number;
  /** whether it lasts */
  readonly isOn: boolean;
}

/** What the rule says now, and what it said. */
interface LiveView {
  /** the last event of each label, the newest first */
  readonly labels: readonly LiveEvent[];
  /** the newest first */
  readonly last: readonly LiveEvent[];
  readonly count: number;
  /** time of the source; what was not seen does not count */
  readonly durationMs: number;
  /** time of the last frame, by the source's clock */
  readonly nowMs: number;
}

/** The rule of events over the frames on the stage, as they come. */
export class LiveEvents {
  readonly #throttle: Throttle;
  #order: LiveEventsOrder | null = null;
  #orderKey = '';
  #madeBy: string | undefined;
  #finder: EventFinder<string> | null = null;
  #breaks = new StreamBreaks();
  #frame: LiveFrame['result']['frame'] | null = null;
  #found: Omit<LiveEvent, 'isOn'>[] = [];
  /** the last of each label, the newest first */
  #ofLabel: Omit<LiveEvent, 'isOn'>[] = [];
  #count = 0;
  #passedMs = 0;
  #startMs = 0;
  #lastMs: number | null = null;
  #now = $state.raw<LiveView | null>(null);
  #break = $state.raw<StreamBreak | null>(null);
  #since = $state.raw<LiveSince>('opened');

  constructor(throttle = new Throttle(publishEveryMs)) {
    this.#throttle = throttle;
  }

  /** null: no frame came yet */
  get now(): LiveView | null {
    return this.#now;
  }

  /** Where frames last did not follow each other, and the rule started again; null: they did. */
  get break(): StreamBreak | null {
    return this.#break;
  }

  get since(): LiveSince {
    return this.#since;
  }

  /** Finds events from now on under an order; one that is the same goes on. */
  follow(order: LiveEventsOrder): void {
    const key = JSON.stringify(order);
    if (key === this.#orderKey) return;
    const before = this.#order;
    this.#order = order;
    this.#orderKey = key;
    this.#begin(!before ? 'opened' : before.source === order.source ? 'setting' : 'source');
  }

  /** Takes the next result. A frame that is run again, and one whose model failed, count no second time. */
  take({ result, isStreaming, isTimedByPage, madeBy }: LiveFrame): void {
    if (!this.#order || madeBy === undefined || (!result.detections && !result.classifications)) return;
    if (this.#madeBy !== undefined && madeBy !== this.#madeBy) this.#begin('results');
    this.#madeBy = madeBy;
    const { index, timestampMs, takenAtMs = timestampMs } = result.frame;
    if (this.#frame?.index === index && this.#frame.timestampMs === timestampMs) return;
    this.#frame = result.frame;
    const timeMs = isTimedByPage ? takenAtMs : timestampMs;
    // How long a silence may be is said by the rule itself, however long a frame ran.
    const found = this.#breaks.next({ timeMs, atMs: takenAtMs, isStreaming, ranMs: 0 });
    if (found && found.kind !== 'silence') {
      this.#passedMs = this.#durationMs;
      this.#lastMs = null;
      this.#finder = null;
      this.#break = found;
    }
    if (this.#lastMs === null) this.#startMs = timeMs;
    this.#lastMs = timeMs;
    this.#finder ??= new EventFinder(this.#order.rule, (event) => this.#happened(event));
    this.#finder.see(timeMs, keptScores(result, serviceFilter(this.#order.thresholds)));
    this.#throttle.schedule(this.#publish);
  }

  #happened(event: FoundEvent<string>): void {
    const found = { event, atMs: this.#frame!.takenAtMs ?? this.#frame!.timestampMs };
    this.#count++;
    this.#found = [found, ...this.#found].slice(0, mostShown);
    const others = this.#ofLabel.filter((one) => one.event.label !== event.label);
    this.#ofLabel = [found, ...others].slice(0, mostShown);
  }

  #begin(since: LiveSince): void {
    this.#finder = null;
    this.#breaks = new StreamBreaks();
    this.#frame = null;
    [this.#found, this.#ofLabel, this.#count] = [[], [], 0];
    [this.#passedMs, this.#lastMs] = [0, null];
    this.#break = null;
    this.#since = since;
    this.#throttle.now(this.#publish);
  }

  get #durationMs(): number {
    return this.#passedMs + (this.#lastMs ?? this.#startMs) - this.#startMs;
  }

  readonly #publish = (): void => {
    if (this.#lastMs === null) {
      this.#now = null;
      return;
    }
    const present = this.#finder?.present ?? [];
    // An event grows: what is drawn is a copy.
    const shown = ({ event, atMs }: Omit<LiveEvent, 'isOn'>): LiveEvent => ({
      event: { ...event },
      atMs,
      isOn: present.includes(event),
    });
    this.#now = {
      labels: this.#ofLabel.map(shown),
      last: this.#found.map(shown),
      count: this.#count,
      durationMs: this.#durationMs,
      nowMs: this.#lastMs,
    };
  };
}
