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

/** Kept results over time under one configuration. */
interface PictureSide {
  readonly keptCount: number;
  readonly timeline: Timeline;
}

/** Events under one configuration. */
interface EventSide {
  readonly events: EventColumns;
  /** how many events there are, and how many of them are told, by label; `events` may be the first of them */
  readonly eventCounts: Uint32Array;
  readonly toldCounts: Uint32Array;
  readonly alarms: readonly AlarmCount[];
}

/** What a vision service would have said under one configuration. */
export interface ReplaySide extends PictureSide, EventSide {}

/** Stored results over time, under one configuration or two: what a person sees first of a moved threshold. */
export interface ReplayPicture {
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
  readonly side: PictureSide;
  readonly other: PictureSide | null;
}

/** Events of stored results, and what else takes a look at frame after frame. */
export interface ReplayEvents {
  readonly side: EventSide;
  readonly other: EventSide | null;
  readonly differences: Differences | null;
  /** captures that the filtered camera would have kept; null: none was asked */
  readonly filtered: FilteredReplay | null;
}

/** What stored results say under one configuration, or under two. */
export interface Replay extends Omit<ReplayPicture, 'side' | 'other'>, Omit<ReplayEvents, 'side' | 'other'> {
  readonly side: ReplaySide;
  readonly other: ReplaySide | null;
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
  const { picture, events } = replayInTwo(columns, order, mostEvents);
  return joined(picture, events());
}

/**
 * Says of stored captures first what a person sees of a moved threshold, and then the rest.
 * @param columns what was stored
 * @param order configurations, rules and spans
 * @param mostEvents so many of the first events are listed; all are counted
 * @returns the picture, and what finds the events of the same order
 * @throws RangeError for an empty span; `events` for a rule of events that nothing meets
 * @example
 * const columns = {
 *   timesMs: Float64Array.of(0, 200), starts: Uint32Array.of(0, 1, 2), labels: Uint32Array.of(0, 0),
 *   scores: Float64Array.of(0.4, 0.6), names: ['cat'],
 * };
 * const rule = { defaultMinimumConfidence: 0.5, labelConfidences: {} };
 * const ofEvents = { atLeast: 1, ofFrames: 1, beginScore: 0, endBelow: 1, quietMs: 0 };
 * const order = { span: { startMs: 0, endMs: 1000 }, rule, other: null, events: ofEvents, gapMs: null, labelled: [] };
 * const { picture, events } = replayInTwo(columns, order);
 * [picture.side.keptCount, events().side.eventCounts[0]]; // => [1, 1]
 */
export function replayInTwo(
  columns: ResultColumns,
  order: ReplayOrder,
  mostEvents = Infinity,
): { readonly picture: ReplayPicture; readonly events: () => ReplayEvents } {
  const { names, timesMs, scores } = columns;
  const { usualMs, ...facts } = factsOf(columns);
  const gapMs = order.gapMs ?? usualMs;
  const gaps = gapsIn(timesMs, order.span, gapMs);
  const kept = keepResults(columns, order.rule);
  const keptByOther = order.other && keepResults(columns, order.other);
  const scale = timeScale(order.span);
  const pictureOf = (rows: Uint32Array): PictureSide => ({
    keptCount: rows.length,
    timeline: timelineOf(columns, rows, scale),
  });
  const labelled = readParts(order);
  const eventsIn = (rows: Uint32Array): EventSide => {
    // Where a person says what was there, each event counts, listed or not.
    const most = labelled.length > 0 ? Infinity : mostEvents;
    const { columns: events, ...counted } = eventsOf(columns, rows, { ...order.events, gapMs }, most);
    return {
      events: events.frame.length > mostEvents ? firstEvents(events, mostEvents) : events,
      ...counted,
      alarms: alarmCounts(events, names, labelled, gaps),
    };
  };
  return {
    picture: {
      order,
      names,
      frameCount: timesMs.length,
      resultCount: scores.length,
      ...facts,
      gapMs,
      gapCount: gaps.length,
      gaps,
      side: pictureOf(kept),
      other: keptByOther && pictureOf(keptByOther),
    },
    events: () => ({
      side: eventsIn(kept),
      other: keptByOther && eventsIn(keptByOther),
      differences: keptByOther && differencesOf(columns, kept, keptByOther),
      filtered: order.filtered ? filteredReplay(columns, kept, order.filtered, gapMs) : null,
    }),
  };
}

/**
 * Joins both parts of an answer.
 * @param picture the first one
 * @param events those of the same order
 * @returns the whole
 */
export const joined = (picture: ReplayPicture, events: ReplayEvents): Replay => ({
  ...picture,
  ...events,
  side: { ...picture.side, ...events.side },
  other: picture.other && events.other && { ...picture.other, ...events.other },
});

/** Facts of stored results that hold under every order: they are counted once. */
interface ColumnFacts extends Pick<ReplayPicture, 'scoreBins' | 'lowestScore'> {
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
