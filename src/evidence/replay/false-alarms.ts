import { eventAt, type EventColumns, type LabelEvent } from './events.ts';
import { coveredMs, overlapMs, type TimeSpan } from './time-span.ts';

/** What a person says of a span: a label was there for some of it, or nothing was. */
export interface LabelledSpan extends TimeSpan {
  /** null: nothing was there */
  readonly label: string | null;
}

/** What events of a label are worth in spans of which a person says what was there. */
export interface AlarmCount {
  readonly label: string;
  /** told events that begin where nothing was there; where another label was, this one is unknown */
  readonly falseAlarms: number;
  /** how long that was captured, in hours; gaps do not count */
  readonly quietHours: number;
  /** null: no such hour was captured */
  readonly falseAlarmsPerHour: number | null;
  /** spans with the label, and those of them in which an event of it lies, told or not */
  readonly spans: number;
  readonly foundSpans: number;
}

const hourMs = 3_600_000;

/**
 * Counts false alarms and missed spans.
 * @param events of all labels
 * @param names labels of the columns
 * @param spans of which a person says what was there; the rest of the time is unknown and does not count
 * @param gaps when nothing was captured, without overlap
 * @returns a row a label of `names`
 * @example
 * const events = {
 *   frame: Uint32Array.of(0), label: Uint32Array.of(0), startMs: Float64Array.of(1000), endMs: Float64Array.of(2000),
 *   peakScore: Float64Array.of(0.9), isTold: Uint8Array.of(1),
 * };
 * const nothing = { label: null, startMs: 0, endMs: 7_200_000 };
 * alarmCounts(events, ['cat'], [nothing], [])[0].falseAlarmsPerHour; // => 0.5
 */
export function alarmCounts(
  events: EventColumns,
  names: readonly string[],
  spans: readonly LabelledSpan[],
  gaps: readonly TimeSpan[],
): readonly AlarmCount[] {
  const ofLabels: LabelEvent[][] = names.map(() => []);
  // Where a person says nothing, no event counts.
  if (spans.length > 0) events.label.forEach((label, at) => ofLabels[label]!.push(eventAt(events, at)));
  return names.map((label, number) => {
    const own = ofLabels[number]!;
    const isOwn = (span: LabelledSpan): boolean => span.label?.toLowerCase() === label.toLowerCase();
    const withLabel = spans.filter(isOwn);
    const quiet = without(
      spans.filter((span) => span.label === null),
      withLabel,
    );
    const falseAlarms = own.filter(
      ({ isTold, startMs }) => isTold && quiet.some((span) => holds(span, startMs)),
    ).length;
    const quietHours = quiet.reduce((sum, span) => sum + span.endMs - span.startMs - coveredMs(span, gaps), 0) / hourMs;
    return {
      label,
      falseAlarms,
      quietHours,
      falseAlarmsPerHour: quietHours > 0 ? falseAlarms / quietHours : null,
      spans: withLabel.length,
      foundSpans: withLabel.filter((span) => own.some((event) => touches(event, span))).length,
    };
  });
}

const holds = ({ startMs, endMs }: TimeSpan, timeMs: number): boolean => startMs <= timeMs && timeMs < endMs;

// An event of one frame has no length.
const touches = (event: LabelEvent, span: TimeSpan): boolean =>
  overlapMs(event, span) > 0 || holds(span, event.startMs);

/** What the spans cover and the others do not, each moment once. */
function without(spans: readonly TimeSpan[], others: readonly TimeSpan[]): readonly TimeSpan[] {
  const cuts = [...new Set([...spans, ...others].flatMap(({ startMs, endMs }) => [startMs, endMs]))].sort(
    (a, b) => a - b,
  );
  return cuts.slice(1).flatMap((endMs, at) => {
    const piece = { startMs: cuts[at]!, endMs };
    const isIn = (span: TimeSpan): boolean => holds(span, piece.startMs);
    return spans.some(isIn) && !others.some(isIn) ? [piece] : [];
  });
}
