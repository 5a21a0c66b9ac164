import { EventFinder, type FoundEvent } from '../../events/event-finder.ts';
import { plainEventRule, type EventRule } from '../../events/event-rule.ts';
import type { ServiceFilter } from '../../../machine/vision/face/filters.ts';
import type { FootageFrame } from '../footage-frame.ts';
import { keptScores } from './kept-scores.ts';

/** An event, and the frame in which it begins. */
export interface FootageEvent {
  readonly index: number;
  readonly name: string;
  readonly event: FoundEvent<string>;
}

/** The events of one label in footage. */
export interface FootageEvents {
  readonly label: string;
  /** in order of time */
  readonly events: readonly FootageEvent[];
  /** how many alarms a program without a rule gives: one each time that the label appears */
  readonly withoutRule: number;
  /** how many of those are a single frame that is in no event */
  readonly flickers: number;
  /** from the first frame that counts for the first told event to its beginning, ms; null: none is told */
  readonly delayMs: number | null;
}

/** Plays the frames of a run to the rule of events, for one label. */
export class FootageEventsPlay {
  readonly #label: string;
  readonly #filter: Pick<ServiceFilter, 'rows' | 'classes'>;
  readonly #events: FootageEvent[] = [];
  readonly #seen: FoundEvent<string>[] = [];
  readonly #finder: EventFinder<string>;
  readonly #plain: EventFinder<string>;
  #frame: Pick<FootageFrame, 'index' | 'name'> | null = null;

  /** @throws RangeError for a rule that nothing, or everything, meets */
  constructor(label: string, rule: EventRule, filter: Pick<ServiceFilter, 'rows' | 'classes'>) {
    this.#label = label;
    this.#filter = filter;
    this.#finder = new EventFinder<string>(rule, (event) => {
      const { index, name } = this.#frame!;
      this.#events.push({ index, name, event });
    });
    this.#plain = new EventFinder<string>({ ...plainEventRule, gapMs: rule.gapMs }, (event) => this.#seen.push(event));
  }

  /** Adds the next frame in order of time. One that failed says nothing: a program is not called with it. */
  add(frame: FootageFrame): void {
    if (frame.failure) return;
    this.#frame = frame;
    const found = keptScores(frame, this.#filter, this.#label);
    this.#finder.see(frame.timeMs, found);
    this.#plain.see(frame.timeMs, found);
  }

  /** @returns what came of the frames so far */
  end(): FootageEvents {
    const events = this.#events.map((one) => ({ ...one, event: { ...one.event } }));
    const first = events.find(({ event }) => event.isTold)?.event;
    return {
      label: this.#label,
      events,
      withoutRule: this.#seen.length,
      flickers: flickersOf(this.#seen, events),
      delayMs: first ? first.startMs - first.firstMs : null,
    };
  }
}

/** Both are in order of time, and of both none meets another of its kind. */
function flickersOf(seen: readonly FoundEvent<string>[], events: readonly FootageEvent[]): number {
  let at = 0;
  return seen.filter(({ startMs, endMs }) => {
    while (at < events.length && events[at]!.event.endMs < startMs) at++;
    return endMs === startMs && !(at < events.length && events[at]!.event.firstMs <= startMs);
  }).length;
}
