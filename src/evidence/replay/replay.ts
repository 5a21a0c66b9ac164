import type { EventRule } from '../events/event-rule.ts';
import { binScores, type ServiceFilterRule } from '../../machine/vision/face/filters.ts';
import { differencesOf, type Differences } from './differences.ts';
import { eventsOf, firstEvents, type EventColumns } from './events.ts';
import { alarmCounts, type AlarmCount, type LabelledSpan } from './false-alarms.ts';
import { gapsIn, usualGapMs } from './gaps.ts';
import { filteredReplay, type FilteredAsk, type FilteredReplay } from './filtered.ts';
import { keepResults } from './keep-results.ts';
import type { ResultColumns } from './result-columns.ts';
import type { TimeSpan } from './time-span.ts';
import { timelineOf, timeScale, type Timeline } from './timeline.ts';

/** A question to stored results: the span, the rules and the events. */
export interface ReplayOrder {
  readonly span: TimeSpan;
  readonly rule: ServiceFilterRule;
  /** another configuration to compare with; null: none */
  readonly other: ServiceFilterRule | null;
  readonly events: Omit<EventRule, 'gapMs'>;
  /** a longer pause between frames is a gap; null: what suits how often was captured */
  readonly gapMs: number | null;
  readonly labelled: readonly LabelledSpan[];
  /** a filtered camera behind the first configuration; missing: none is asked */
  readonly filtered?: FilteredAsk | null;
}

/** What a vision service would have said under one configuration. */
export interface ReplaySide {
  readonly keptCount: number;
  readonly timeline: Timeline;
  readonly events: EventColumns;
  /** how many events there are, and how many of them are told, by label; `events` may be the first of them */
  readonly eventCounts: Uint32Array;
  readonly toldCounts: Uint32Array;
  readonly alarms: readonly AlarmCount[];
}

/** What stored results say under one configuration, or under two. */
export interface Replay {
  readonly order: ReplayOrder;
  readonly names: readonly string[];
  readonly frameCount: number;
  readonly resultCount: number;
  /** how many stored results have which score, by label: see `countScore` */
  readonly scoreBins: readonly Uint32Array[];
  /** lowest score of all stored results; a lower threshold finds no more of them. null: there are none */
  readonly lowestScore: number | null;
  readonly gapMs: number;
  /** how many gaps there are; `gaps` may be merged for the page */
  readonly gapCount: number;
  readonly gaps: readonly TimeSpan[];
  readonly side: ReplaySide;
  readonly other: ReplaySide | null;
  readonly differences: Differences | null;
  /** captures that the filtered camera would have kept; null: none was asked */
  readonly filtered: FilteredReplay | null;
}

/**
 * Says what a vision service would have said of stored captures.
 * @param columns what was stored
 * @param order configurations, rules and spans
 * @param mostEvents so many of the first events are listed; all are counted
 * @returns everything that the page and the report show
 * @throws RangeError for an empty span, or a rule of events that nothing meets
 * @example
 * const columns = {
 *   timesMs: Float64Array.of(0, 200), starts: Uint32Array.of(0, 1, 2), labels: Uint32Array.of(0, 0),
 *   scores: Float64Array.of(0.4, 0.6), names: ['cat'],
 * };
 * const rule = { defaultMinimumConfidence: 0.5, labelConfidences: {} };
 * const events = { atLeast: 1, ofFrames: 1, beginScore: 0, endBelow: 1, quietMs: 0 };
 * const order = { span: { startMs: 0, endMs: 1000 }, rule, other: null, events, gapMs: null, labelled: [] };
 * replay(columns, order).side.keptCount; // => 1
 */
export function replay(columns: ResultColumns, order: ReplayOrder, mostEvents = Infinity): Replay {
  const { names, timesMs, scores } = columns;
  const { usualMs, ...facts } = factsOf(columns);
  const gapMs = order.gapMs ?? usualMs;
  const gaps = gapsIn(timesMs, order.span, gapMs);
  const kept = keepResults(columns, order.rule);
  const keptByOther = order.other && keepResults(columns, order.other);
  const scale = timeScale(order.span);
  const labelled = readParts(order);
  const sideOf = (rows: Uint32Array): ReplaySide => {
    // Where a person says what was there, each event counts, listed or not.
    const most = labelled.length > 0 ? Infinity : mostEvents;
    const { columns: events, ...counted } = eventsOf(columns, rows, { ...order.events, gapMs }, most);
    return {
      keptCount: rows.length,
      timeline: timelineOf(columns, rows, scale),
      events: events.frame.length > mostEvents ? firstEvents(events, mostEvents) : events,
      ...counted,
      alarms: alarmCounts(events, names, labelled, gaps),
    };
  };
  return {
    order,
    names,
    frameCount: timesMs.length,
    resultCount: scores.length,
    ...facts,
    gapMs,
    gapCount: gaps.length,
    gaps,
    side: sideOf(kept),
    other: keptByOther && sideOf(keptByOther),
    differences: keptByOther && differencesOf(columns, kept, keptByOther),
    filtered: order.filtered ? filteredReplay(columns, kept, order.filtered, gapMs) : null,
  };
}

/** Facts of stored results that hold under every order: they are counted once. */
interface ColumnFacts extends Pick<Replay, 'scoreBins' | 'lowestScore'> {
  readonly usualMs: number;
}

const known = new WeakMap<ResultColumns, ColumnFacts>();

function factsOf(columns: ResultColumns): ColumnFacts {
  const { names, timesMs, labels, scores } = columns;
  let facts = known.get(columns);
  if (facts) return facts;
  let lowestScore = scores.length > 0 ? Infinity : null;
  for (let at = 0; at < scores.length; at++) lowestScore = Math.min(lowestScore!, scores[at]!);
  const scoreBins = binScores({ count: scores.length, labelIndex: labels, score: scores }, names.length);
  facts = { usualMs: usualGapMs(timesMs), scoreBins, lowestScore };
  known.set(columns, facts);
  return facts;
}

/** The parts of the labelled spans that were read: nothing is known of the rest, not even that nothing was captured. */
const readParts = ({ labelled, span }: ReplayOrder): readonly LabelledSpan[] =>
  labelled
    .map(({ label, startMs, endMs }) => ({
      label,
      startMs: Math.max(startMs, span.startMs),
      endMs: Math.min(endMs, span.endMs),
    }))
    .filter(({ startMs, endMs }) => startMs < endMs);
