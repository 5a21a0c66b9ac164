import { csvText, escapeHtml, linePath, reportPage, table } from '../evaluation/face/report.ts';
import { eventRuleText } from '../events/event-rule.ts';
import { machineFilter } from '../../machine/vision/face/runs.ts';
import { ruleInForce, type ServiceFilterRule } from '../../machine/vision/face/filters.ts';
import { eventAt, type LabelEvent } from './events.ts';
import type { Replay, ReplaySide } from './replay.ts';

/** The recording that was replayed. */
export interface ReplaySubject {
  readonly title: string;
  /** names and values, such as part and vision service */
  readonly facts: readonly (readonly [name: string, value: string])[];
}

export type ReplayReportFormat = 'html' | 'json' | 'csv';

/** Whose rules the filter follows, in a sentence. The captures do not say under which version they were made. */
export const machineFilterText = `Filtered as the ${machineFilter.part} of ${machineFilter.source} at commit ${machineFilter.commit} does it.`;

/** A filter in words: "all labels ≥ 0.5", or "cat ≥ 0.3, no other label". */
function ruleText(rule: ServiceFilterRule): string {
  switch (ruleInForce(rule)) {
    case 'none':
      return 'everything that is stored';
    case 'default_minimum_confidence':
      return `all labels ≥ ${rule.defaultMinimumConfidence}`;
    case 'label_confidences':
      return `${Object.entries(rule.labelConfidences)
        .map(([label, threshold]) => `${label} ≥ ${threshold}`)
        .join(', ')}, no other label`;
  }
}

/**
 * Writes a replay as the text of a file.
 * @param subject what was replayed
 * @param replay what came of it
 * @param format a page that loads nothing, all data, or a table of the events
 * @returns the text; times are in UTC
 * @example
 * import { replay } from './replay.ts';
 * const columns = {
 *   timesMs: Float64Array.of(0), starts: Uint32Array.of(0, 1), labels: Uint32Array.of(0), scores: Float64Array.of(0.6), names: ['cat'],
 * };
 * const rule = { defaultMinimumConfidence: 0.5, labelConfidences: {} };
 * const events = { atLeast: 1, ofFrames: 1, beginScore: 0, endBelow: 1, quietMs: 0 };
 * const order = { span: { startMs: 0, endMs: 1000 }, rule, other: null, events, gapMs: null, labelled: [] };
 * const said = replay(columns, order);
 * replayReportText({ title: 'Hall', facts: [] }, said, 'csv').split('\r\n')[0]; // => 'configuration,label,start,end,peakScore,told'
 */
export function replayReportText(subject: ReplaySubject, replay: Replay, format: ReplayReportFormat): string {
  if (format === 'csv') return eventsCsv(replay);
  if (format === 'json') return JSON.stringify(reportJson(subject, replay), null, 2);
  return reportHtml(subject, replay);
}

const timeText = (timeMs: number): string => new Date(timeMs).toISOString();

const sidesOf = ({ order, side, other }: Replay) => [
  { name: 'first', rule: order.rule, side },
  ...(order.other && other ? [{ name: 'second', rule: order.other, side: other }] : []),
];

const eventsIn = ({ events }: ReplaySide): readonly LabelEvent[] =>
  Array.from(events.frame, (_, at) => eventAt(events, at));

function eventsCsv(replay: Replay): string {
  const rows = sidesOf(replay).flatMap(({ name, side }) =>
    eventsIn(side).map(
      ({ label, startMs, endMs, peakScore, isTold }) =>
        [name, replay.names[label]!, timeText(startMs), timeText(endMs), peakScore, isTold ? 'yes' : 'no'] as const,
    ),
  );
  return csvText([['configuration', 'label', 'start', 'end', 'peakScore', 'told'], ...rows]);
}

function reportJson(subject: ReplaySubject, replay: Replay): object {
  const { order, names, gaps, differences } = replay;
  const spanJson = ({ startMs, endMs }: { readonly startMs: number; readonly endMs: number }) => ({
    start: timeText(startMs),
    end: timeText(endMs),
  });
  return {
    title: subject.title,
    facts: Object.fromEntries(subject.facts),
    filterFollows: machineFilter,
    ...spanJson(order.span),
    frames: replay.frameCount,
    storedResults: replay.resultCount,
    lowestStoredScore: replay.lowestScore,
    eventRule: order.events,
    gapSeconds: replay.gapMs / 1000,
    gaps: gaps.map(spanJson),
    labelledSpans: order.labelled.map((span) => ({ label: span.label, ...spanJson(span) })),
    configurations: sidesOf(replay).map(({ rule, side }) => ({
      defaultMinimumConfidence: rule.defaultMinimumConfidence,
      labelConfidences: rule.labelConfidences,
      kept: side.keptCount,
      bucketSeconds: side.timeline.scale.bucketMs / 1000,
      firstBucket: timeText(side.timeline.scale.startMs),
      frames: [...side.timeline.frames],
      labels: names.map((label, number) => ({ ...side.alarms[number], label, kept: [...keptByBucket(side, number)] })),
      events: eventsIn(side).map(({ label, peakScore, isTold, ...event }) => ({
        label: names[label]!,
        ...spanJson(event),
        peakScore,
        isTold,
      })),
    })),
    differences: differences && {
      framesThatDiffer: differences.frames.frame.length,
      labels: names.map((label, number) => ({
        label,
        onlyFirst: differences.onlyFirst[number]!,
        onlySecond: differences.onlySecond[number]!,
        both: differences.both[number]!,
      })),
      frames: Array.from(differences.frames.timeMs, (timeMs, at) => ({
        time: timeText(timeMs),
        onlyFirst: differences.frames.onlyFirst[at]!,
        onlySecond: differences.frames.onlySecond[at]!,
      })),
    },
  };
}

/**
 * The buckets of one label.
 * @param side of a replay
 * @param label its number
 * @returns kept results by bucket, a view
 * @example
 * const timeline = { scale: { startMs: 0, bucketMs: 1000, bucketCount: 2 }, frames: Uint32Array.of(1, 1), results: Uint32Array.of(1, 2, 3, 4) };
 * [...keptByBucket({ timeline }, 1)]; // => [3, 4]
 */
export function keptByBucket({ timeline }: Pick<ReplaySide, 'timeline'>, label: number): Uint32Array {
  const { bucketCount } = timeline.scale;
  return timeline.results.subarray(label * bucketCount, (label + 1) * bucketCount);
}

const sum = (counts: Uint32Array): number => counts.reduce((total, count) => total + count, 0);

function reportHtml({ title, facts }: ReplaySubject, replay: Replay): string {
  const { order, names, gaps, differences, lowestScore } = replay;
  const told = sidesOf(replay);
  const overview = [
    ...facts.map(([name, value]) => [name, value]),
    ['From', timeText(order.span.startMs)],
    ['Until', timeText(order.span.endMs)],
    ['Frames', String(replay.frameCount)],
    ['Stored results', `${replay.resultCount}${lowestScore === null ? '' : `, the lowest score is ${lowestScore}`}`],
    ['Gaps', gaps.map(({ startMs, endMs }) => `${timeText(startMs)} to ${timeText(endMs)}`).join('; ') || 'none'],
    ['An event', eventRuleText(order.events)],
    ['Filter', machineFilterText],
  ];
  return reportPage(
    title,
    `${table([], overview, 'texts')}
${told
  .map(
    ({ name, rule, side }) => `<h2>${told.length > 1 ? `The ${name} configuration` : 'The configuration'}</h2>
<p>${escapeHtml(ruleText(rule))}</p>
${table(['Label', 'Kept', 'Events', 'Told', 'False alarms', 'Quiet hours', 'An hour', 'Spans found'], labelRows(names, side))}
<div class="plots">${names.map((label, number) => labelPlot(label, keptByBucket(side, number), side)).join('')}</div>`,
  )
  .join('\n')}
${
  differences
    ? `<h2>Differences</h2><p>${differences.frames.frame.length} frames differ.</p>
${table(
  ['Label', 'Only first', 'Only second', 'Both'],
  names.map((label, number) =>
    [label, differences.onlyFirst[number]!, differences.onlySecond[number]!, differences.both[number]!].map(String),
  ),
)}`
    : ''
}`,
  );
}

const labelRows = (names: readonly string[], side: ReplaySide): readonly (readonly string[])[] =>
  names.map((label, number) => {
    const alarms = side.alarms[number]!;
    const perHour = alarms.falseAlarmsPerHour;
    return [
      label,
      String(sum(keptByBucket(side, number))),
      String(side.eventCounts[number]!),
      String(side.toldCounts[number]!),
      perHour === null ? '–' : String(alarms.falseAlarms),
      alarms.quietHours.toFixed(2),
      perHour === null ? '–' : perHour.toFixed(2),
      alarms.spans === 0 ? '–' : `${alarms.foundSpans} of ${alarms.spans}`,
    ];
  });

const plotSize = { width: 420, height: 90 } as const;

/** Kept results of a label over time; no line where no frame was captured. */
function labelPlot(label: string, kept: Uint32Array, { timeline }: ReplaySide): string {
  const most = Math.max(1, ...kept);
  const points = Array.from(kept, (count, at): [number, number] | null =>
    timeline.frames[at] === 0 ? null : [at / Math.max(1, kept.length - 1), count / most],
  );
  return `<figure><figcaption>${escapeHtml(label)}: at most ${most} in ${timeline.scale.bucketMs / 1000} s</figcaption>
<svg role="img" aria-label="${escapeHtml(label)} over time" viewBox="0 0 ${plotSize.width} ${plotSize.height}"><path class="grid" d="M0 ${plotSize.height}H${plotSize.width}"/><path class="line" style="stroke:hsl(211 70% 50%)" d="${linePath(points, plotSize)}"/></svg></figure>`;
}
