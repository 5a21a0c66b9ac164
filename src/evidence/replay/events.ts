import { EventTracer, type EventBook, type FoundEvent } from '../events/event-finder.ts';
import type { EventRule } from '../events/event-rule.ts';
import type { ResultColumns } from './result-columns.ts';

/** A label was there, by the rule; `label` is its index into the names of the columns. */
export interface LabelEvent extends Omit<FoundEvent<number>, 'firstMs'> {
  /** number of the frame in which the rule was met first, whose time is `startMs` */
  readonly frame: number;
}

/** Events as columns, by the frame in which they begin, and by label in the same one: millions of them are no objects. */
export interface EventColumns {
  readonly frame: Uint32Array;
  readonly label: Uint32Array;
  readonly startMs: Float64Array;
  /** the last frame in which the rule is met */
  readonly endMs: Float64Array;
  readonly peakScore: Float64Array;
  /** 1: it is told */
  readonly isTold: Uint8Array;
}

/** The events of stored results. */
export interface LabelEvents {
  /** all, or the first of them */
  readonly columns: EventColumns;
  /** how many there are, and how many of them are told, by label */
  readonly eventCounts: Uint32Array;
  readonly toldCounts: Uint32Array;
}

/**
 * Finds when each label would have been said to be there.
 * @param columns what was stored
 * @param kept numbers of the kept results, rising
 * @param rule when a label is there
 * @param most so many of the first events are listed; the others are counted
 * @returns the events; the buffers are the caller's
 * @throws RangeError for a rule that nothing, or everything, meets
 * @example
 * const columns = {
 *   timesMs: Float64Array.of(0, 200, 400), starts: Uint32Array.of(0, 1, 1, 2), labels: Uint32Array.of(0, 0),
 *   scores: Float64Array.of(0.6, 0.9), names: ['cat'],
 * };
 * const rule = { atLeast: 2, ofFrames: 3, beginScore: 0, endBelow: 2, quietMs: 0, gapMs: 1000 };
 * const events = eventsOf(columns, Uint32Array.of(0, 1), rule);
 * eventAt(events.columns, 0); // => { frame: 2, label: 0, startMs: 400, endMs: 400, peakScore: 0.9, isTold: true }
 */
export function eventsOf(columns: ResultColumns, kept: Uint32Array, rule: EventRule, most = Infinity): LabelEvents {
  const { timesMs, starts, labels, scores, names } = columns;
  const book = new ColumnBook(names.length, most);
  const tracer = new EventTracer(rule, book);
  const traces = names.map((_, label) => tracer.traceOf(label));
  let at = 0;
  for (let frame = 0; frame < timesMs.length; frame++) {
    book.frame = frame;
    tracer.enter(timesMs[frame]!);
    for (const end = starts[frame + 1]!; kept[at]! < end; at++)
      tracer.add(traces[labels[kept[at]!]!]!, scores[kept[at]!]!);
    tracer.settle();
  }
  return { columns: book.listed(), eventCounts: book.eventCounts, toldCounts: book.toldCounts };
}

/**
 * One event of many.
 * @param columns the events
 * @param at its place, below their number
 * @returns the event
 */
export const eventAt = ({ frame, label, startMs, endMs, peakScore, isTold }: EventColumns, at: number): LabelEvent => ({
  frame: frame[at]!,
  label: label[at]!,
  startMs: startMs[at]!,
  endMs: endMs[at]!,
  peakScore: peakScore[at]!,
  isTold: isTold[at] === 1,
});

/**
 * The first events of many.
 * @param columns the events
 * @param most more are left out
 * @returns copies
 */
export const firstEvents = (columns: EventColumns, most: number): EventColumns => ({
  frame: columns.frame.slice(0, most),
  label: columns.label.slice(0, most),
  startMs: columns.startMs.slice(0, most),
  endMs: columns.endMs.slice(0, most),
  peakScore: columns.peakScore.slice(0, most),
  isTold: columns.isTold.slice(0, most),
});

/** Writes events into columns. An event is known by its place; -1: it is counted, not listed. */
class ColumnBook implements EventBook<number, number> {
  readonly #most: number;
  readonly eventCounts: Uint32Array;
  readonly toldCounts: Uint32Array;
  /** the frame under way */
  frame = 0;
  #count = 0;
  #columns = columnsOf(1024);

  constructor(labelCount: number, most: number) {
    this.eventCounts = new Uint32Array(labelCount);
    this.toldCounts = new Uint32Array(labelCount);
    this.#most = most;
  }

  begin(label: number, _firstMs: number, startMs: number, score: number, told: boolean): number {
    this.eventCounts[label] = this.eventCounts[label]! + 1;
    if (told) this.toldCounts[label] = this.toldCounts[label]! + 1;
    const place = this.#count;
    // Whatever begins in the frame of the last one has its place by its label.
    if (place >= this.#most && this.#columns.frame[place - 1] !== this.frame) return -1;
    if (place === this.#columns.frame.length) this.#columns = withRoom(this.#columns);
    const { frame, label: labels, startMs: starts, endMs, peakScore, isTold } = this.#columns;
    frame[place] = this.frame;
    labels[place] = label;
    starts[place] = endMs[place] = startMs;
    peakScore[place] = score;
    isTold[place] = told ? 1 : 0;
    return this.#count++;
  }

  raise(place: number, score: number): void {
    const { peakScore } = this.#columns;
    if (place >= 0 && score > peakScore[place]!) peakScore[place] = score;
  }

  last(place: number, timeMs: number): void {
    if (place >= 0) this.#columns.endMs[place] = timeMs;
  }

  listed(): EventColumns {
    const all = firstEvents(this.#columns, this.#count);
    // Of one frame each label begins one event at most, and there are few.
    for (let at = 1; at < this.#count; at++)
      for (let to = at; to > 0 && all.frame[to] === all.frame[to - 1] && all.label[to]! < all.label[to - 1]!; to--)
        swap(all, to, to - 1);
    return this.#count > this.#most ? firstEvents(all, this.#most) : all;
  }
}

const columnsOf = (length: number): EventColumns => ({
  frame: new Uint32Array(length),
  label: new Uint32Array(length),
  startMs: new Float64Array(length),
  endMs: new Float64Array(length),
  peakScore: new Float64Array(length),
  isTold: new Uint8Array(length),
});

/** The same events with as much room again. */
function withRoom(columns: EventColumns): EventColumns {
  const larger = columnsOf(2 * columns.frame.length);
  for (const name of namesOf(columns)) larger[name].set(columns[name]);
  return larger;
}

function swap(columns: EventColumns, one: number, other: number): void {
  for (const name of namesOf(columns)) {
    const column = columns[name];
    [column[one], column[other]] = [column[other]!, column[one]!];
  }
}

const namesOf = (columns: EventColumns) => Object.keys(columns) as (keyof EventColumns)[];
