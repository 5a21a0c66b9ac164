import { chooseCut } from '../choose/goal.ts';
import { cocoMatching, cocoMetrics } from '../coco/coco-metrics.ts';
import type { DetectionSet, EvaluationSpace, TruthSet } from '../evaluation.ts';
import { matchBoxes } from '../match/match-boxes.ts';
import { countsOfBest, ratesOf, sweepLabels, type LabelSweep } from '../sweep/label-sweep.ts';
import { metricsAt } from '../sweep/metrics-at.ts';
import { ultralyticsFigures } from './ultralytics.ts';

/** What replacing one rule by another does to a figure. */
export interface RuleGap {
  readonly rule: string;
  readonly gap: number;
}

/** Two tools' numbers for one idea, and which rules part them: the gaps sum to the difference. */
export interface ToolGap {
  readonly figure: 'AP50' | 'F1';
  readonly from: { readonly tool: string; readonly value: number };
  readonly to: { readonly tool: string; readonly value: number };
  readonly rules: readonly RuleGap[];
}

/**
 * Other tools' numbers from the same boxes, each difference attributed to named rules. One rule after the other is
 * replaced, in the order given, and each gap is what its replacement changed; in another order the parts would differ,
 * their sum would not.
 *
 * @param truth what is there
 * @param detections what was found, before any threshold
 * @param space how many images and which labels
 * @param thresholds in force, by label number
 * @returns the gaps; none where there is no truth
 * @example explainTools(truth, detections, space, thresholds)[0].rules;
 */
export function explainTools(
  truth: TruthSet,
  detections: DetectionSet,
  space: EvaluationSpace,
  thresholds: ArrayLike<number>,
): ToolGap[] {
  const ap50 = (set: TruthSet, maxDetections: number): number | null =>
    cocoMetrics(matchBoxes(set, detections, space, { ...cocoMatching, maxDetections }), space.labels).metrics.AP50;
  const plain: TruthSet = { ...truth, crowd: new Uint8Array(truth.count) };
  const unlimited = matchBoxes(plain, detections, space, { ...cocoMatching, maxDetections: Infinity });
  const theirs = ultralyticsFigures(unlimited);
  const coco = ap50(truth, 100);
  const withCrowds = ap50(plain, 100);
  const withAll = ap50(plain, Infinity);
  if (theirs === null || coco === null || withCrowds === null || withAll === null) return [];
  const sweeps = sweepLabels(matchBoxes(truth, detections, space));
  const plainSweeps = sweepLabels(unlimited);
  const counted = metricsAt(sweeps, thresholds).total.f1 ?? 0;
  const meant = meanF1(sweeps, thresholds);
  const meantPlain = meanF1(plainSweeps, thresholds);
  const one = new Float64Array(space.labels.length).fill(theirs.threshold);
  const atTheirs = meanF1(plainSweeps, one);
  return [
    {
      figure: 'AP50',
      from: { tool: 'COCO', value: coco },
      to: { tool: 'Ultralytics', value: theirs.mAP50 },
      rules: [
        { rule: 'crowds are objects like others, found once or missed', gap: withCrowds - coco },
        { rule: 'results of an image and label are not cut to 100', gap: withAll - withCrowds },
        { rule: 'precision runs in straight lines between results, instead of steps', gap: theirs.mAP50 - withAll },
      ],
    },
    {
      figure: 'F1',
      from: { tool: 'Counts at the thresholds in force', value: counted },
      to: { tool: 'Ultralytics', value: theirs.f1 },
      rules: [
        { rule: 'the mean over labels, instead of all boxes together', gap: meant - counted },
        { rule: 'crowds are objects like others, and results are not cut to 100', gap: meantPlain - meant },
        {
          rule: `one threshold for all labels, ${theirs.threshold.toFixed(3)}, where the smoothed mean F1 is best`,
          gap: atTheirs - meantPlain,
        },
        { rule: 'F1 is read between results, instead of counted', gap: theirs.f1 - atTheirs },
      ],
    },
    {
      figure: 'F1',
      from: { tool: 'Counts at the thresholds in force', value: counted },
      to: { tool: 'Best F1 of each label (as Roboflow’s sweep)', value: bestF1(sweeps, space.imageCount) },
      rules: [
        { rule: 'the mean over labels, instead of all boxes together', gap: meant - counted },
        {
          rule: 'each label at its own best threshold, on the very images it is counted on',
          gap: bestF1(sweeps, space.imageCount) - meant,
        },
      ],
    },
  ];
}

const withTruth = (sweeps: readonly LabelSweep[]): readonly LabelSweep[] =>
  sweeps.filter(({ truthCount }) => truthCount > 0);

function meanF1(sweeps: readonly LabelSweep[], thresholds: ArrayLike<number>): number {
  const known = withTruth(sweeps);
  const { perLabel } = metricsAt(known, thresholds);
  return perLabel.reduce((sum, { f1 }) => sum + (f1 ?? 0), 0) / known.length;
}

function bestF1(sweeps: readonly LabelSweep[], imageCount: number): number {
  const known = withTruth(sweeps);
  const best = known.map((sweep) => countsOfBest(sweep, chooseCut(sweep, { kind: 'best-f1' }, imageCount).kept));
  return best.reduce((sum, counts) => sum + (ratesOf(counts).f1 ?? 0), 0) / known.length;
}
