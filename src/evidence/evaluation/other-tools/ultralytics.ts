import { evenly } from '../coco/precision-curve.ts';
import type { LabelMatches } from '../match/match-boxes.ts';

/** What Ultralytics' validation prints (8.4), means over labels that have truth. */
export interface UltralyticsFigures {
  readonly mAP50: number;
  readonly mAP: number;
  /** at the one threshold where the smoothed mean F1 is best */
  readonly threshold: number;
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
  /** F1 of each label with truth at that threshold, by label number */
  readonly labelF1: ReadonlyMap<number, number>;
}

const recallPoints = evenly(0, 1, 101);
const thresholdPoints = evenly(0, 1, 1000);
/** A tenth of the points on both sides together. */
const smoothedOver = 101;

/**
 * Ultralytics' reading of matches: precision is drawn as straight lines between results, and AP is the area under them;
 * F1 is read at 1,000 thresholds between results, meant over labels and smoothed, and one threshold is taken for all.
 * Its figures come from matches in which no truth is ignored, as it knows no crowds.
 *
 * @param matches with `cocoMatching`, of truth without crowds
 * @returns null: there is no truth
 * @example ultralyticsFigures(matches)?.mAP50;
 */
export function ultralyticsFigures(matches: readonly LabelMatches[]): UltralyticsFigures | null {
  const labels = matches.filter(({ truthCounts: [count] }) => count! > 0);
  if (labels.length === 0) return null;
  const aps = labels.map((found) => Array.from({ length: 10 }, (_, iou) => areaUnderLines(found, iou)));
  const curves = labels.map(ratesByThreshold);
  const meanF1 = thresholdPoints.map((_, at) => mean(curves.map(({ f1 }) => f1[at]!)));
  const best = indexOfLargest(smoothed(meanF1));
  return {
    mAP50: mean(aps.map(([first]) => first!)),
    mAP: mean(aps.map(mean)),
    threshold: thresholdPoints[best]!,
    precision: mean(curves.map(({ precision }) => precision[best]!)),
    recall: mean(curves.map(({ recall }) => recall[best]!)),
    f1: mean(curves.map(({ f1 }) => f1[best]!)),
    labelF1: new Map(labels.map(({ label }, at) => [label, curves[at]!.f1[best]!])),
  };
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Recall and precision after each result. */
function cumulated({ outcomes, truthCounts }: LabelMatches, iou: number) {
  const outcome = outcomes[0]!;
  const [recall, precision] = [new Float64Array(outcome.length), new Float64Array(outcome.length)];
  let found = 0;
  for (let at = 0; at < outcome.length; at++) {
    found += (outcome[at]! >>> iou) & 1;
    recall[at] = found / truthCounts[0]!;
    precision[at] = found / (at + 1);
  }
  return { recall, precision };
}

/** By trapezoids over 101 recalls, with precision 1 before the first result and 0 behind the last. */
function areaUnderLines(found: LabelMatches, iou: number): number {
  const { recall, precision } = cumulated(found, iou);
  if (recall.length === 0) return 0;
  const xs = Float64Array.of(0, ...recall, recall.at(-1)!, 1);
  const ys = Float64Array.of(1, ...precision, 0, 0);
  for (let at = ys.length - 2; at >= 0; at--) ys[at] = Math.max(ys[at]!, ys[at + 1]!);
  const heights = recallPoints.map((x) => onLines(x, xs, ys, ys[0]!));
  let area = 0;
  for (let at = 1; at < heights.length; at++)
    area += ((heights[at - 1]! + heights[at]!) / 2) * (recallPoints[at]! - recallPoints[at - 1]!);
  return area;
}

function ratesByThreshold(found: LabelMatches) {
  const { recall, precision } = cumulated(found, 0);
  const falling = found.score.map((score) => -score);
  const isEmpty = recall.length === 0;
  const read = (ys: Float64Array, before: number): Float64Array =>
    thresholdPoints.map((threshold) => (isEmpty ? 0 : onLines(-threshold, falling, ys, before)));
  const [recalls, precisions] = [read(recall, 0), read(precision, 1)];
  const f1 = recalls.map((r, at) => (2 * precisions[at]! * r) / (precisions[at]! + r + 1e-16));
  return { recall: recalls, precision: precisions, f1 };
}

/** Straight lines between points whose x rises; of points with equal x the last counts. */
function onLines(x: number, xs: Float64Array, ys: Float64Array, before: number): number {
  let [low, high] = [0, xs.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (xs[middle]! <= x) low = middle + 1;
    else high = middle;
  }
  const at = low - 1;
  if (at < 0) return before;
  if (at === xs.length - 1) return ys[at]!;
  return ((ys[at + 1]! - ys[at]!) / (xs[at + 1]! - xs[at]!)) * (x - xs[at]!) + ys[at]!;
}

/** The mean over a window, with the first and last value continued. */
function smoothed(values: Float64Array): Float64Array {
  const half = smoothedOver >> 1;
  return values.map((_, at) => {
    let sum = 0;
    for (let near = at - half; near <= at + half; near++)
      sum += values[Math.min(values.length - 1, Math.max(0, near))]!;
    return sum / smoothedOver;
  });
}

function indexOfLargest(values: Float64Array): number {
  let best = 0;
  for (let at = 1; at < values.length; at++) if (values[at]! > values[best]!) best = at;
  return best;
}
