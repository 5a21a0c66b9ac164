import type { ServiceFilterRule } from '../../machine/vision/face/filters.ts';
import { ChangeFinder, usualHoldMs, type Change } from './changes.ts';
import type { FootageFrame } from './footage-frame.ts';
import { Timeline, type LabelTimeline, type TimelineSpan } from './timeline.ts';

export interface FailedFootageFrame {
  readonly index: number;
  readonly timeMs: number;
  readonly name: string;
  readonly message: string;
}

/** How many failures a report lists: nobody reads more, and the table has all of them. */
export const mostFailures = 1000;

/** What a report says of a run. */
export interface DigestedRun {
  readonly span: TimelineSpan;
  /** frames that were added, those that failed among them */
  readonly frameCount: number;
  readonly labels: readonly LabelTimeline[];
  readonly changes: readonly Change[];
  /** frames that failed */
  readonly failedCount: number;
  /** the first of them, a thousand at most */
  readonly failures: readonly FailedFootageFrame[];
}

/** A digest gathered frame by frame, so that no run need be in memory. */
export class RunDigest implements DigestedRun {
  readonly span: TimelineSpan;
  readonly #timeline: Timeline;
  readonly #finder: ChangeFinder;
  readonly #changes: Change[] = [];
  readonly #failures: FailedFootageFrame[] = [];
  #frameCount = 0;
  #failedCount = 0;

  /** @param holdMs how long counts last that are a change */
  constructor(span: TimelineSpan, rule: ServiceFilterRule, holdMs: number = usualHoldMs) {
    this.span = span;
    this.#timeline = new Timeline(span, rule);
    this.#finder = new ChangeFinder(rule, holdMs);
  }

  /** Adds the next frame in order of time. */
  add(frame: FootageFrame): void {
    this.#frameCount++;
    if (frame.failure) {
      const { index, timeMs, name, failure } = frame;
      if (++this.#failedCount <= mostFailures) this.#failures.push({ index, timeMs, name, message: failure.message });
      return;
    }
    this.#timeline.add(frame);
    this.#changes.push(...this.#finder.add(frame));
  }

  get frameCount(): number {
    return this.#frameCount;
  }

  get labels(): readonly LabelTimeline[] {
    return this.#timeline.labels();
  }

  get changes(): readonly Change[] {
    return this.#changes;
  }

  get failedCount(): number {
    return this.#failedCount;
  }

  get failures(): readonly FailedFootageFrame[] {
    return this.#failures;
  }
}
