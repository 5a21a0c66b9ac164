import {
  countScore,
  scoreBinCount,
  type ServiceFilterRule,
  serviceThresholds,
  type Thresholds,
  writeKeptRows,
} from '../../machine/vision/face/filters.ts';
import type { RawResults } from '../../machine/vision/face/results.ts';
import { scoredRows, type ScoredRows } from './footage-frame.ts';

/** The time that a timeline shows, in equal parts. */
export interface TimelineSpan {
  readonly fromMs: number;
  /** frames at this time fall into the last bucket; those beyond are left out */
  readonly toMs: number;
  readonly bucketCount: number;
}

/** One label over time; each array has a value a bucket. */
export interface LabelTimeline {
  readonly label: string;
  /** the lowest score that is kept; Infinity: the label is not listed, -Infinity: there is no filter */
  readonly threshold: number;
  /** frames with at least one box or class of the label that is kept */
  readonly frames: Uint32Array;
  /** most that are kept on one frame */
  readonly most: Uint32Array;
  /** the highest score before the filter; NaN: the label was not found */
  readonly best: Float32Array;
  /** how many results before the filter have which score: see `countScore` */
  readonly scores: Uint32Array;
  /** all that are kept */
  readonly kept: number;
}

interface Series {
  readonly label: string;
  readonly threshold: number;
  readonly frames: Uint32Array;
  readonly most: Uint32Array;
  readonly best: Float32Array;
  readonly scores: Uint32Array;
  kept: number;
}

interface Table {
  readonly thresholds: Thresholds;
  readonly series: (Series | undefined)[];
  /** kept rows of the frame that is being added, by label index */
  readonly counts: Uint32Array;
}

/**
 * Boxes and scores of each label over time, under a service's thresholds. Frames are added in any order; a new rule
 * takes a new timeline, which costs a few nanoseconds a row.
 */
export class Timeline {
  readonly span: TimelineSpan;
  readonly #rule: ServiceFilterRule;
  readonly #byLabel = new Map<string, Series>();
  readonly #tables = new WeakMap<readonly string[], Table>();
  #rows = new Uint32Array(64);

  constructor(span: TimelineSpan, rule: ServiceFilterRule) {
    this.span = span;
    this.#rule = rule;
  }

  /** Adds what a frame says at a time; a time beyond the span changes nothing. */
  add(frame: RawResults & { readonly timeMs: number }): void {
    const bucket = bucketOf(this.span, frame.timeMs);
    if (bucket === null) return;
    for (const rows of scoredRows(frame)) this.#addRows(rows, bucket);
  }

  /** @returns the labels that were found, those on most frames first, then by name */
  labels(): readonly LabelTimeline[] {
    return byPresence([...this.#byLabel.values()]);
  }

  #addRows(rows: ScoredRows, bucket: number): void {
    const { count, labels, labelIndex, score } = rows;
    const { thresholds, series, counts } = this.#tableOf(labels);
    if (this.#rows.length < count) this.#rows = new Uint32Array(2 * count);
    for (let row = 0; row < count; row++) {
      const index = labelIndex[row]!;
      const { best, scores } = (series[index] ??= this.#seriesOf(labels[index]!, thresholds[index]!));
      countScore(score[row]!, scores);
      if (score[row]! > best[bucket]! || Number.isNaN(best[bucket])) best[bucket] = score[row]!;
    }
    const kept = writeKeptRows(rows, thresholds, this.#rows);
    for (let at = 0; at < kept; at++) {
      const index = labelIndex[this.#rows[at]!]!;
      const one = series[index]!;
      const onFrame = ++counts[index]!;
      if (onFrame === 1) one.frames[bucket] = one.frames[bucket]! + 1;
      if (onFrame > one.most[bucket]!) one.most[bucket] = onFrame;
      one.kept++;
    }
    for (let at = 0; at < kept; at++) counts[labelIndex[this.#rows[at]!]!] = 0;
  }

  #tableOf(labels: readonly string[]): Table {
    const known = this.#tables.get(labels);
    if (known) return known;
    const thresholds = serviceThresholds(labels, this.#rule);
    const table: Table = { thresholds, series: [], counts: new Uint32Array(labels.length) };
    this.#tables.set(labels, table);
    return table;
  }

  #seriesOf(label: string, threshold: number): Series {
    const known = this.#byLabel.get(label);
    if (known) return known;
    const { bucketCount } = this.span;
    const [frames, most] = [new Uint32Array(bucketCount), new Uint32Array(bucketCount)];
    const best = new Float32Array(bucketCount).fill(NaN);
    const series: Series = { label, threshold, frames, most, best, scores: new Uint32Array(scoreBinCount), kept: 0 };
    this.#byLabel.set(label, series);
    return series;
  }
}

/**
 * @param timelines of labels
 * @returns those on most frames first, then by how much is kept, then by name
 */
export function byPresence(timelines: readonly LabelTimeline[]): readonly LabelTimeline[] {
  const framesOf = new Map(timelines.map((one) => [one, one.frames.reduce((sum, count) => sum + count, 0)]));
  return timelines.toSorted(
    (a, b) => framesOf.get(b)! - framesOf.get(a)! || b.kept - a.kept || (a.label < b.label ? -1 : 1),
  );
}

/** Frames in order, cut where another bucket begins: those from the end before up to `ends[i]` fall into `buckets[i]`; -1: beyond the span. */
export interface BucketRuns {
  readonly ends: Uint32Array;
  readonly buckets: Int32Array;
}

/**
 * @param span of the timeline
 * @param timesMs of frames
 * @returns their buckets; frames in order of time have few runs
 */
export function bucketRuns(span: TimelineSpan, timesMs: Float64Array): BucketRuns {
  const [ends, buckets]: [number[], number[]] = [[], []];
  for (const [place, timeMs] of timesMs.entries()) {
    const bucket = bucketOf(span, timeMs) ?? -1;
    if (bucket !== buckets.at(-1)) buckets.push(bucket);
    ends[buckets.length - 1] = place + 1;
  }
  return { ends: Uint32Array.from(ends), buckets: Int32Array.from(buckets) };
}

/**
 * @param span of the timeline
 * @param timeMs of a frame
 * @returns the number of its bucket; null: it lies beyond the span
 */
export function bucketOf({ fromMs, toMs, bucketCount }: TimelineSpan, timeMs: number): number | null {
  if (!(timeMs >= fromMs && timeMs <= toMs)) return null;
  if (toMs === fromMs) return 0;
  return Math.min(bucketCount - 1, Math.floor(((timeMs - fromMs) / (toMs - fromMs)) * bucketCount));
}
