import { Throttle } from '../../../base/schedule/throttle.ts';
import { EventFinder, type FoundEvent } from '../../../evidence/events/event-finder.ts';
import type { EventRule } from '../../../evidence/events/event-rule.ts';
import { keptScores } from '../../../evidence/footage/events/kept-scores.ts';
import type { StreamBreak } from '../../../evidence/footage/filtered/stream-breaks.ts';
import { serviceFilter, type ServiceFilterRule } from '../../../machine/vision/face/filters.ts';
import { LiveStream, type LiveFrame, type LiveSince } from '../filtered/live-stream.svelte.ts';

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
  // How long a silence may be is said by the rule itself.
  readonly #stream = new LiveStream<LiveEventsOrder>({ begin: () => this.#begin(), passes: 'silence' });
  #finder: EventFinder<string> | null = null;
  #found: Omit<LiveEvent, 'isOn'>[] = [];
  /** the last of each label, the newest first */
  #ofLabel: Omit<LiveEvent, 'isOn'>[] = [];
  #count = 0;
  /** when the page got the last frame, ms since 1970 */
  #atMs = 0;
  #now = $state.raw<LiveView | null>(null);

  constructor(throttle = new Throttle(publishEveryMs)) {
    this.#throttle = throttle;
  }

  /** null: no frame came yet */
  get now(): LiveView | null {
    return this.#now;
  }

  /** Where frames last did not follow each other, and the rule started again; null: they did. */
  get break(): StreamBreak | null {
    return this.#stream.break;
  }

  get since(): LiveSince {
    return this.#stream.since;
  }

  /** Finds events from now on under an order; one that is the same goes on. */
  follow(order: LiveEventsOrder): void {
    this.#stream.follow(order);
  }

  /** Takes the next result. A frame that is run again, and one whose model failed, count no second time. */
  take(frame: LiveFrame): void {
    const { result } = frame;
    if (!result.detections && !result.classifications) return;
    const moment = this.#stream.next(frame);
    if (!moment) return;
    const { rule, thresholds } = this.#stream.order!;
    if (moment.break) this.#finder = null;
    const { timeMs, atMs } = moment;
    this.#finder ??= new EventFinder(rule, (event) => this.#happened(event));
    this.#atMs = atMs;
    this.#finder.see(timeMs, keptScores(result, serviceFilter(thresholds)));
    this.#throttle.schedule(this.#publish);
  }

  #happened(event: FoundEvent<string>): void {
    const found = { event, atMs: this.#atMs };
    this.#count++;
    this.#found = [found, ...this.#found].slice(0, mostShown);
    const others = this.#ofLabel.filter((one) => one.event.label !== event.label);
    this.#ofLabel = [found, ...others].slice(0, mostShown);
  }

  #begin(): void {
    this.#finder = null;
    [this.#found, this.#ofLabel, this.#count] = [[], [], 0];
    this.#throttle.now(this.#publish);
  }

  readonly #publish = (): void => {
    const { lastMs: nowMs, durationMs } = this.#stream;
    if (nowMs === null) {
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
    const [labels, last] = [this.#ofLabel.map(shown), this.#found.map(shown)];
    this.#now = { labels, last, count: this.#count, durationMs, nowMs };
  };
}
