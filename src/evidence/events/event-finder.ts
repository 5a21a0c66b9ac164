import { refuseUnfitRule, type EventRule } from './event-rule.ts';

/** A label was there, by the rule. It grows while it lasts. */
export interface FoundEvent<Label> {
  readonly label: Label;
  /** the first frame that counted for its beginning */
  readonly firstMs: number;
  /** the frame in which the rule was met first */
  readonly startMs: number;
  /** the last frame in which the rule is met */
  readonly endMs: number;
  /** the highest score from the first frame that counted to the last one */
  readonly peakScore: number;
  /** false: kept back, as another event of the label was told shortly before */
  readonly isTold: boolean;
}

type Growing<Label> = { -readonly [Key in keyof FoundEvent<Label>]: FoundEvent<Label>[Key] };

/** Says by a rule when each label is there, frame by frame. */
export class EventFinder<Label> {
  readonly #rule: EventRule;
  readonly #onEvent: (event: FoundEvent<Label>) => void;
  readonly #traces = new Map<Label, LabelTrace<Label>>();
  #present: LabelTrace<Label>[] = [];
  /** those whose event began in this frame; their best score in it is known at its end */
  readonly #begun: LabelTrace<Label>[] = [];
  #frame = -1;
  #lastMs = -Infinity;
  /** the first frame behind the last gap */
  #runStart = 0;

  /**
   * @param rule when a label is there
   * @param onEvent called when one begins; what it is given goes on growing
   * @throws RangeError for a rule that nothing, or everything, meets
   */
  constructor(rule: EventRule, onEvent: (event: FoundEvent<Label>) => void) {
    refuseUnfitRule(rule);
    this.#rule = rule;
    this.#onEvent = onEvent;
  }

  /**
   * Takes the next frame.
   * @param timeMs not before the frame in front of it
   * @param found what is kept in it; a label may be there several times
   * @throws RangeError for a time that falls
   */
  see(timeMs: number, found: Iterable<readonly [label: Label, score: number]>): void {
    this.enter(timeMs);
    for (const [label, score] of found) this.add(label, score);
    this.settle();
  }

  /** The three parts of `see`, for whoever makes no object a frame: the frame begins, a result of it is kept, and it ends. */
  enter(timeMs: number): void {
    if (!(timeMs >= this.#lastMs)) throw new RangeError(`Times must not fall, got ${timeMs} after ${this.#lastMs}.`);
    this.#frame++;
    if (timeMs - this.#lastMs > this.#rule.gapMs) this.#breakOff();
    this.#lastMs = timeMs;
  }

  add(label: Label, score: number): void {
    const trace = this.#traceOf(label);
    if (!trace.add(this.#frame, this.#lastMs, score, this.#runStart)) return;
    this.#present.push(trace);
    this.#begun.push(trace);
  }

  settle(): void {
    let hasLeft = false;
    for (const trace of this.#present) hasLeft = !trace.lasts(this.#frame, this.#lastMs) || hasLeft;
    if (hasLeft) this.#present = this.#present.filter(({ event }) => event !== null);
    if (this.#begun.length === 0) return;
    for (const { event } of this.#begun) this.#onEvent(event!);
    this.#begun.length = 0;
  }

  /** The events under way, one a label at most. */
  get present(): readonly FoundEvent<Label>[] {
    return this.#present.map(({ event }) => event!);
  }

  #breakOff(): void {
    for (const trace of this.#present) trace.event = null;
    this.#present = [];
    this.#runStart = this.#frame;
  }

  #traceOf(label: Label): LabelTrace<Label> {
    let trace = this.#traces.get(label);
    if (!trace) this.#traces.set(label, (trace = new LabelTrace(label, this.#rule)));
    return trace;
  }
}

/** The latest frames of a label, and the event under way. Frames without it cost nothing. */
class LabelTrace<Label> {
  readonly #label: Label;
  readonly #rule: EventRule;
  /** the last `atLeast` frames that count for a beginning, each at its number modulo `atLeast` */
  readonly #beginFrames: Int32Array;
  readonly #beginTimes: Float64Array;
  readonly #beginScores: Float64Array;
  #beginCount = 0;
  /** the last `endBelow` frames with the label, likewise */
  readonly #keptFrames: Int32Array;
  #keptCount = 0;
  #oldestKept = 0;
  #toldMs = -Infinity;
  /** the last frame with the label, and its best score in it */
  #frame = -1;
  #best = 0;
  event: Growing<Label> | null = null;

  constructor(label: Label, rule: EventRule) {
    this.#label = label;
    this.#rule = rule;
    this.#beginFrames = new Int32Array(rule.atLeast);
    this.#beginTimes = new Float64Array(rule.atLeast);
    this.#beginScores = new Float64Array(rule.atLeast);
    this.#keptFrames = new Int32Array(rule.endBelow);
  }

  /** @returns whether an event begins */
  add(frame: number, timeMs: number, score: number, runStart: number): boolean {
    const { atLeast, ofFrames, beginScore, endBelow, quietMs } = this.#rule;
    const isAgain = this.#frame === frame;
    if (isAgain && !(score > this.#best)) return false;
    const counted = isAgain && this.#best >= beginScore;
    this.#frame = frame;
    this.#best = score;
    if (!isAgain) {
      this.#keptFrames[this.#keptCount++ % endBelow] = frame;
      this.#oldestKept = this.#keptFrames[this.#keptCount % endBelow]!;
    }
    if (score >= beginScore) {
      const slot = (counted ? this.#beginCount - 1 : this.#beginCount++) % atLeast;
      this.#beginFrames[slot] = frame;
      this.#beginTimes[slot] = timeMs;
      this.#beginScores[slot] = score;
    }
    if (this.event) {
      this.event.peakScore = Math.max(this.event.peakScore, score);
      return false;
    }
    const oldest = this.#beginCount % atLeast;
    const first = this.#beginFrames[oldest]!;
    if (score < beginScore || this.#beginCount < atLeast || first < runStart || frame - first >= ofFrames) return false;
    const isTold = timeMs - this.#toldMs >= quietMs;
    if (isTold) this.#toldMs = timeMs;
    const peakScore = this.#beginScores.reduce((most, one) => Math.max(most, one));
    const firstMs = this.#beginTimes[oldest]!;
    this.event = { label: this.#label, firstMs, startMs: timeMs, endMs: timeMs, peakScore, isTold };
    return true;
  }

  /** @returns whether the event under way lasts in this frame: the oldest of those that hold it is still in the window */
  lasts(frame: number, timeMs: number): boolean {
    if (frame - this.#oldestKept < this.#rule.ofFrames) this.event!.endMs = timeMs;
    else this.event = null;
    return this.event !== null;
  }
}
