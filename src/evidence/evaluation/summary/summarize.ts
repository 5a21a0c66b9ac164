import { cocoMatching, cocoMetrics, type CocoFigure, type CocoMetrics } from '../coco/coco-metrics.ts';
import type { DetectionSet, EvaluationSpace, TruthSet } from '../evaluation.ts';
import { matchBoxes, type LabelMatches, type MatchOptions } from '../match/match-boxes.ts';
import { sweepLabels, type Counts, type LabelSweep, type Rates } from '../sweep/label-sweep.ts';
import { metricsAt } from '../sweep/metrics-at.ts';

/** What a set of results is worth, as it is written out: null where a figure is undefined, never -1. */
export interface EvaluationSummary {
  readonly images: number;
  /** boxes that count */
  readonly truth: number;
  readonly detections: number;
  readonly metrics: Readonly<Record<CocoFigure, number | null>>;
  readonly perLabel: readonly LabelSummary[];
  /** counts and rates of all labels' boxes, at the thresholds */
  readonly total: Counts & Rates;
  /** results of labels without truth, which COCO's figures leave out */
  readonly falseWithoutTruth: number;
}

export interface LabelSummary extends Counts, Rates {
  readonly label: string;
  readonly truth: number;
  readonly AP: number | null;
  readonly AP50: number | null;
  /** null: no threshold keeps this label */
  readonly threshold: number | null;
}

/** A summary with what stands behind it: everything else is made of these without matching again. */
export interface Evaluated {
  readonly summary: EvaluationSummary;
  /** the matches that `measureBoxes` made */
  readonly matches: readonly LabelMatches[];
  /** at IoU 0.5, all sizes */
  readonly sweeps: readonly LabelSweep[];
}

/**
 * COCO's figures, and precision, recall and F1 at thresholds, IoU 0.5, from one matching.
 *
 * @param truth what is there
 * @param detections what was found, before any threshold
 * @param space how many images and which labels
 * @param thresholds the lowest score that is kept, by label number; +Infinity drops a label
 * @param ignoreRule see MatchOptions
 * @returns the summary, and what stands behind it
 * @throws RangeError for an image or label number out of range
 * @example
 * import { readCocoResults, readCocoTruth } from '../coco/read-coco.ts';
 * const annotations = [{ id: 1, image_id: 7, category_id: 3, bbox: [0, 0, 10, 10], area: 100, iscrowd: 0 }];
 * const images = [{ id: 7, file_name: 'a.jpg', width: 640, height: 480 }];
 * const read = readCocoTruth({ images, categories: [{ id: 3, name: 'cat' }], annotations });
 * const { detections } = readCocoResults([{ image_id: 7, category_id: 3, bbox: [0, 0, 10, 10], score: 0.9 }], read);
 * evaluateBoxes(read.truth, detections, read.space, [0.5]).summary.metrics.AP50.toFixed(3); // => '1.000'
 */
export function evaluateBoxes(
  truth: TruthSet,
  detections: DetectionSet,
  space: EvaluationSpace,
  thresholds: ArrayLike<number>,
  ignoreRule: MatchOptions['ignoreRule'] = 'crowd',
): Evaluated {
  return summarize(measureBoxes(truth, detections, space, ignoreRule), detections, space, thresholds);
}

/** The figures that need the boxes themselves; thresholds need no more than these. */
export interface MeasuredBoxes {
  readonly coco: CocoMetrics;
  /** with IoU 0.5 first */
  readonly matches: readonly LabelMatches[];
}

/**
 * COCO's figures, and the matches from which every threshold is counted. COCO looks at the 100 best results of an image
 * and label; a machine keeps all, so all are counted.
 *
 * @param truth what is there
 * @param detections what was found, before any threshold
 * @param space how many images and which labels
 * @param ignoreRule see MatchOptions
 * @returns figures and matches
 * @throws RangeError for an image or label number out of range
 * @example
 * import { DetectionSetBuilder, TruthSetBuilder } from '../build-sets.ts';
 * const truth = new TruthSetBuilder();
 * truth.add(0, 0, [0, 0, 10, 10]);
 * const found = new DetectionSetBuilder();
 * found.add(0, 0, [0, 0, 10, 10], 0.9);
 * found.add(0, 0, [50, 0, 10, 10], 0.6);
 * const { coco } = measureBoxes(truth.build(), found.build(), { imageCount: 1, labels: ['cup'] });
 * coco.metrics.AP75.toFixed(3); // => '1.000'
 */
export function measureBoxes(
  truth: TruthSet,
  detections: DetectionSet,
  space: EvaluationSpace,
  ignoreRule: MatchOptions['ignoreRule'] = 'crowd',
): MeasuredBoxes {
  const best = matchBoxes(truth, detections, space, { ...cocoMatching, ignoreRule });
  const isCut = best.reduce((sum, { row }) => sum + row.length, 0) < detections.count;
  const matches = isCut ? matchBoxes(truth, detections, space, { maxDetections: Infinity, ignoreRule }) : best;
  return { coco: cocoMetrics(best, space.labels), matches };
}

/**
 * @param measured of `measureBoxes`
 * @param detections what was measured
 * @param space how many images and which labels
 * @param thresholds the lowest score that is kept, by label number
 * @returns the figures at these thresholds
 * @example
 * import { DetectionSetBuilder, TruthSetBuilder } from '../build-sets.ts';
 * const truth = new TruthSetBuilder();
 * truth.add(0, 0, [0, 0, 10, 10]);
 * const found = new DetectionSetBuilder();
 * found.add(0, 0, [0, 0, 10, 10], 0.9);
 * found.add(0, 0, [50, 0, 10, 10], 0.6);
 * const space = { imageCount: 1, labels: ['cup'] };
 * const measured = measureBoxes(truth.build(), found.build(), space);
 * summarize(measured, found.build(), space, [0.5]).summary.total.precision; // => 0.5
 */
export function summarize(
  { coco: { metrics, perLabel, falseWithoutTruth }, matches }: MeasuredBoxes,
  detections: DetectionSet,
  space: EvaluationSpace,
  thresholds: ArrayLike<number>,
): Evaluated {
  const sweeps = sweepLabels(matches);
  const at = metricsAt(sweeps, thresholds);
  return {
    matches,
    sweeps,
    summary: {
      images: space.imageCount,
      truth: perLabel.reduce((sum, { truth: count }) => sum + count, 0),
      detections: detections.count,
      metrics,
      perLabel: perLabel.map(({ label, truth: count, AP, AP50 }, number): LabelSummary => {
        const { threshold, precision, recall, f1, truePositives, falsePositives, missed } = at.perLabel[number]!;
        const written = Number.isFinite(threshold) ? threshold : threshold === -Infinity ? 0 : null;
        const counts = { truePositives, falsePositives, missed };
        return { label, truth: count, AP, AP50, precision, recall, f1, threshold: written, ...counts };
      }),
      total: at.total,
      falseWithoutTruth,
    },
  };
}
