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

/** Keeps the events of a tracer, each by a mark of its own kind: as objects, or as columns where there are millions. */
export interface EventBook<Label, Mark> {
  /** An event begins in the frame under way, whose results can still raise its score. */
  begin(label: Label, firstMs: number, startMs: number, peakScore: number, isTold: boolean): Mark;
  /** The event has a result of this score. */
  raise(mark: Mark, score: number): void;
  /** The rule of the event is met in this frame, too. */
  last(mark: Mark, timeMs: number): void;
}

/** Follows by a rule when each label is there, frame by frame. */
export class EventTracer<Label, Mark> {
  readonly #rule: EventRule;
  readonly #book: EventBook<Label, Mark>;
  readonly #traces = new Map<Label, LabelTrace<Label, Mark>>();
  #present: LabelTrace<Label, Mark>[] = [];
  #frame = -1;
  #lastMs = -Infinity;
  /** the first frame behind the last gap */
  #runStart = 0;

  /**
   * @param rule when a label is there
   * @param book is told of each event
   * @throws RangeError for a rule that nothing, or everything, meets
   */
  constructor(rule: EventRule, book: EventBook<Label, Mark>) {
    refuseUnfitRule(rule);
    this.#rule = rule;
    this.#book = book;
  }

  /** The next frame begins. @throws RangeError for a time that falls */
  enter(timeMs: number): void {
    if (!(timeMs >= this.#lastMs)) throw new RangeError(`Times must not fall, got ${timeMs} after ${this.#lastMs}.`);
    this.#frame++;
    if (timeMs - this.#lastMs > this.#rule.gapMs) this.#breakOff();
    this.#lastMs = timeMs;
  }

  /** The trace of a label, for `add`. */
  traceOf(label: Label): LabelTrace<Label, Mark> {
    let trace = this.#traces.get(label);
    if (!trace) this.#traces.set(label, (trace = new LabelTrace(label, this.#rule, this.#book)));
    return trace;
  }

  /** A result of the frame is kept. */
  add(trace: LabelTrace<Label, Mark>, score: number): void {
    if (trace.add(this.#frame, this.#lastMs, score, this.#runStart)) this.#present.push(trace);
  }

  /** The frame ends. */
  settle(): void {
    let hasLeft = false;
    for (const trace of this.#present) hasLeft = !trace.lasts(this.#frame, this.#lastMs) || hasLeft;
    if (hasLeft) this.#present = this.#present.filter(({ event }) => event !== null);
  }

  /** The events under way, one a label at most. */
  protected get marks(): readonly Mark[] {
    return this.#present.map(({ event }) => event!);
  }

  #breakOff(): void {
    for (const trace of this.#present) trace.event = null;
    this.#present = [];
    this.#runStart = this.#frame;
  }
}

/** Says by a rule when each label is there, with an object an event. */
export class EventFinder<Label> extends EventTracer<Label, Growing<Label>> {
  readonly #onEvent: (event: FoundEvent<Label>) => void;
  /** those that began in this frame; their best score in it is known at its end */
  readonly #begun: Growing<Label>[];

  /**
   * @param rule when a label is there
   * @param onEvent called when one begins; what it is given goes on growing
   * @throws RangeError for a rule that nothing, or everything, meets
   */
  constructor(rule: EventRule, onEvent: (event: FoundEvent<Label>) => void) {
    const begun: Growing<Label>[] = [];
    super(rule, {
      begin(label, firstMs, startMs, peakScore, isTold) {
        const event = { label, firstMs, startMs, endMs: startMs, peakScore, isTold };
        begun.push(event);
        return event;
      },
      raise: (event, score) => void (event.peakScore = Math.max(event.peakScore, score)),
      last: (event, timeMs) => void (event.endMs = timeMs),
    });
    this.#begun = begun;
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
    for (const [label, score] of found) this.add(this.traceOf(label), score);
    this.settle();
    for (const event of this.#begun.splice(0)) this.#onEvent(event);
  }

  /** The events under way, one a label at most. */
  get present(): readonly FoundEvent<Label>[] {
    return this.marks;
  }
}

/** The latest frames of a label, and the event under way. Frames without it cost nothing. */
class LabelTrace<Label, Mark> {
  readonly #label: Label;
  readonly #rule: EventRule;
  readonly #book: EventBook<Label, Mark>;
  /** the last `atLeast` frames that count for a beginning, the oldest of them where the next is written */
  readonly #beginFrames: Int32Array;
  readonly #beginTimes: Float64Array;
  readonly #beginScores: Float64Array;
  #beginCount = 0;
  #beginAt = 0;
  /** the last `endBelow` frames with the label, likewise */
  readonly #keptFrames: Int32Array;
  #keptAt = 0;
  #toldMs = -Infinity;
  /** the last frame with the label, and its best score in it */
  #frame = -1;
  #best = 0;
  event: Mark | null = null;

  constructor(label: Label, rule: EventRule, book: EventBook<Label, Mark>) {
    this.#label = label;
    this.#rule = rule;
    this.#book = book;
    this.#beginFrames = new Int32Array(rule.atLeast);
    this.#beginTimes = new Float64Array(rule.atLeast);
    this.#beginScores = new Float64Array(rule.atLeast);
    this.#keptFrames = new Int32Array(rule.endBelow);
  }

  /** @returns whether an event begins */
  add(frame: number, timeMs: number, score: number, runStart: number): boolean {
    const { atLeast, ofFrames, beginScore, quietMs } = this.#rule;
    const isAgain = this.#frame === frame;
    if (isAgain && !(score > this.#best)) return false;
    const counted = isAgain && this.#best >= beginScore;
    this.#frame = frame;
    this.#best = score;
    if (!isAgain) {
      this.#keptFrames[this.#keptAt] = frame;
      this.#keptAt = after(this.#keptAt, this.#keptFrames);
    }
    if (score >= beginScore) {
      const slot = counted ? before(this.#beginAt, this.#beginFrames) : this.#beginAt;
      this.#beginFrames[slot] = frame;
      this.#beginTimes[slot] = timeMs;
      this.#beginScores[slot] = score;
      this.#beginAt = after(slot, this.#beginFrames);
      if (!counted) this.#beginCount++;
    }
    if (this.event !== null) {
      this.#book.raise(this.event, score);
      return false;
    }
    const first = this.#beginFrames[this.#beginAt]!;
    if (score < beginScore || this.#beginCount < atLeast || first < runStart || frame - first >= ofFrames) return false;
    const isTold = timeMs - this.#toldMs >= quietMs;
    if (isTold) this.#toldMs = timeMs;
    const peakScore = this.#beginScores.reduce((most, one) => Math.max(most, one));
    this.event = this.#book.begin(this.#label, this.#beginTimes[this.#beginAt]!, timeMs, peakScore, isTold);
    return true;
  }

  /** @returns whether the event under way lasts in this frame: the oldest of those that hold it is still in the window */
  lasts(frame: number, timeMs: number): boolean {
    if (frame - this.#keptFrames[this.#keptAt]! < this.#rule.ofFrames) this.#book.last(this.event!, timeMs);
    else this.event = null;
    return this.event !== null;
  }
}

// The next and the former place of a ring, without a division: this runs for each of millions of results.
const after = (place: number, { length }: Int32Array): number => (place + 1 === length ? 0 : place + 1);
const before = (place: number, { length }: Int32Array): number => (place === 0 ? length - 1 : place - 1);
