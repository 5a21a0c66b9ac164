import type { ResultColumns } from './result-columns.ts';
import type { TimeSpan } from './time-span.ts';

/** When a label is said to be there, and how often that is told. */
export interface EventRule {
  /** it is kept in at least so many … */
  readonly atLeast: number;
  /** … of so many frames in a row; 1 or more */
  readonly ofFrames: number;
  /** an event of a label is told if the one told before began so long ago; 0: each is told */
  readonly quietMs: number;
  /** a longer pause between frames ends an event, and frames before it count no longer */
  readonly gapMs: number;
}

/** A label was there, by the rule. */
export interface LabelEvent extends TimeSpan {
  /** index into the names of the columns */
  readonly label: number;
  /** number of the frame in which the rule was met first, whose time is `startMs` */
  readonly frame: number;
  /** the highest kept score from the first frame that counted to the last one */
  readonly peakScore: number;
  /** false: kept back, as another event of the label was told shortly before */
  readonly isTold: boolean;
}

/**
 * Finds when each label would have been said to be there.
 * @param columns what was stored
 * @param kept numbers of the kept results, rising
 * @param rule when a label is there
 * @returns by the time at which they begin; an event ends with the last frame in which the rule is met
 * @throws RangeError for a rule that nothing, or everything, meets
 * @example
 * const columns = {
 *   timesMs: Float64Array.of(0, 200, 400), starts: Uint32Array.of(0, 1, 1, 2), labels: Uint32Array.of(0, 0),
 *   scores: Float64Array.of(0.6, 0.9), names: ['cat'],
 * };
 * const [event] = eventsOf(columns, Uint32Array.of(0, 1), { atLeast: 2, ofFrames: 3, quietMs: 0, gapMs: 1000 });
 * event; // => { label: 0, frame: 2, startMs: 400, endMs: 400, peakScore: 0.9, isTold: true }
 */
export function eventsOf(columns: ResultColumns, kept: Uint32Array, rule: EventRule): readonly LabelEvent[] {
  const { atLeast, ofFrames, gapMs } = rule;
  if (!(Number.isInteger(atLeast) && Number.isInteger(ofFrames) && atLeast >= 1 && atLeast <= ofFrames)) {
    throw new RangeError(`A label is present in n of m frames with 1 ≤ n ≤ m, got ${atLeast} of ${ofFrames}.`);
  }
  const { timesMs, starts, labels, scores, names } = columns;
  const traces = names.map((_, label) => new LabelTrace(label, rule, timesMs));
  const found: Omit<LabelEvent, 'isTold'>[] = [];
  let at = 0;
  let runStart = 0;
  for (let frame = 0; frame < timesMs.length; frame++) {
    if (frame > 0 && timesMs[frame]! - timesMs[frame - 1]! > gapMs) {
      for (const trace of traces) trace.endRun(frame - 1, found);
      runStart = frame;
    }
    for (const end = starts[frame + 1]!; kept[at]! < end; at++) {
      traces[labels[kept[at]!]!]!.see(frame, scores[kept[at]!]!, runStart, found);
    }
  }
  for (const trace of traces) trace.endRun(timesMs.length - 1, found);
  return tell(
    found.sort((a, b) => a.frame - b.frame || a.label - b.label),
    rule.quietMs,
  );
}

/** The latest frames of a label, and the event under way. */
class LabelTrace {
  readonly #label: number;
  readonly #rule: EventRule;
  readonly #timesMs: Float64Array;
  /** the last `atLeast` frames with the label and its best score there, each at its number modulo `atLeast` */
  readonly #frames: Int32Array;
  readonly #scores: Float64Array;
  #seen = 0;
  #event: { readonly frame: number; lastFrame: number; peakScore: number } | null = null;

  constructor(label: number, rule: EventRule, timesMs: Float64Array) {
    this.#label = label;
    this.#rule = rule;
    this.#timesMs = timesMs;
    this.#frames = new Int32Array(rule.atLeast);
    this.#scores = new Float64Array(rule.atLeast);
  }

  see(frame: number, score: number, runStart: number, found: Omit<LabelEvent, 'isTold'>[]): void {
    const { atLeast, ofFrames } = this.#rule;
    const last = (this.#seen + atLeast - 1) % atLeast;
    if (this.#seen > 0 && this.#frames[last] === frame) {
      this.#scores[last] = Math.max(this.#scores[last]!, score);
      this.#raisePeak(frame, score);
      return;
    }
    if (this.#event && frame > this.#event.lastFrame + 1) this.#close(found);
    const slot = this.#seen % atLeast;
    this.#frames[slot] = frame;
    this.#scores[slot] = score;
    this.#seen++;
    const oldest = this.#frames[this.#seen % atLeast]!;
    // The oldest of n frames that count leaves the window m frames later: until then the rule stays met.
    if (this.#seen >= atLeast && oldest >= runStart && frame - oldest < ofFrames) {
      this.#event ??= { frame, lastFrame: frame, peakScore: Math.max(...this.#scores) };
      this.#event.lastFrame = oldest + ofFrames - 1;
    }
    this.#raisePeak(frame, score);
  }

  #raisePeak(frame: number, score: number): void {
    if (this.#event && frame <= this.#event.lastFrame) {
      this.#event.peakScore = Math.max(this.#event.peakScore, score);
    }
  }

  /** No frame follows `lastFrame` soon enough. */
  endRun(lastFrame: number, found: Omit<LabelEvent, 'isTold'>[]): void {
    if (!this.#event) return;
    this.#event.lastFrame = Math.min(this.#event.lastFrame, lastFrame);
    this.#close(found);
  }

  #close(found: Omit<LabelEvent, 'isTold'>[]): void {
    const { frame, lastFrame, peakScore } = this.#event!;
    const [startMs, endMs] = [this.#timesMs[frame]!, this.#timesMs[lastFrame]!];
    found.push({ label: this.#label, frame, startMs, endMs, peakScore });
    this.#event = null;
  }
}

/** Keeps back what comes too soon after an event of the same label that was told. */
function tell(events: readonly Omit<LabelEvent, 'isTold'>[], quietMs: number): readonly LabelEvent[] {
  const toldMs = new Map<number, number>();
  return events.map((event) => {
    const isTold = event.startMs - (toldMs.get(event.label) ?? -Infinity) >= quietMs;
    if (isTold) toldMs.set(event.label, event.startMs);
    return { ...event, isTold };
  });
}
