import { chooseCut } from '../choose/goal.ts';
import { cocoMatching, cocoMetrics } from '../coco/coco-metrics.ts';
import type { DetectionSet, EvaluationSpace, TruthSet } from '../evaluation.ts';
import { matchBoxes, type LabelMatches } from '../match/match-boxes.ts';
import type { Evaluated } from '../summary/summarize.ts';
import {
  countsOfBest,
  ratesOf,
  sweepLabels,
  thresholdOfCut,
  type Counts,
  type LabelSweep,
} from '../sweep/label-sweep.ts';
import { metricsAt, type MetricsAt } from '../sweep/metrics-at.ts';
import { toolNames } from './tool-names.ts';
import { supervisionFigures } from './supervision.ts';
import { ultralyticsConfusion, ultralyticsRule } from './ultralytics-confusion.ts';
import { ultralyticsFigures } from './ultralytics.ts';

/** The boxes of an evaluation. */
export interface EvaluatedBoxes {
  readonly truth: TruthSet;
  readonly detections: DetectionSet;
  readonly space: EvaluationSpace;
}

/** What replacing one rule by another does to a figure. */
export interface RuleGap {
  readonly rule: string;
  readonly gap: number;
}

/** Two tools' numbers for one idea, and which rules part them: the gaps sum to the difference. */
export interface ToolGap {
  readonly figure: 'AP50' | 'F1' | 'Right boxes' | 'False boxes' | 'Missed boxes';
  readonly from: { readonly tool: string; readonly value: number };
  readonly to: { readonly tool: string; readonly value: number };
  readonly rules: readonly RuleGap[];
}

/** F1 of one label, as tools say it; null: there is nothing to divide by. */
export interface LabelByTool {
  readonly label: number;
  readonly truth: number;
  /** at the threshold in force */
  readonly counted: number | null;
  readonly supervision: number | null;
  /** at the one threshold that it takes for all labels */
  readonly ultralytics: number | null;
  /** at the threshold where it is best on these very images */
  readonly best: number;
  readonly bestThreshold: number;
}

export interface ToolComparison {
  readonly gaps: readonly ToolGap[];
  /** labels with truth */
  readonly perLabel: readonly LabelByTool[];
}

/**
 * Other tools' numbers from the same boxes, each difference attributed to named rules. One rule after the other is
 * replaced, in the order given, and each gap is what its replacement changed; in another order the parts would differ,
 * their sum would not.
 *
 * @param boxes truth, what was found before any threshold, images and labels
 * @param evaluated of `evaluateBoxes` or `summarize`: the figures that are explained
 * @param thresholds in force, by label number
 * @returns gaps and labels; none where there is no truth
 * @example
 * import { DetectionSetBuilder, TruthSetBuilder } from '../build-sets.ts';
 * import { evaluateBoxes } from '../summary/summarize.ts';
 * const truth = new TruthSetBuilder();
 * truth.add(0, 0, [0, 0, 10, 10]);
 * const found = new DetectionSetBuilder();
 * found.add(0, 0, [0, 0, 10, 10], 0.9);
 * const boxes = { truth: truth.build(), detections: found.build(), space: { imageCount: 1, labels: ['cup'] } };
 * const evaluated = evaluateBoxes(boxes.truth, boxes.detections, boxes.space, [0.5]);
 * explainTools(boxes, evaluated, [0.5]).perLabel[0].best; // => 1
 */
export function explainTools(
  boxes: EvaluatedBoxes,
  { summary, sweeps }: Evaluated,
  thresholds: ArrayLike<number>,
): ToolComparison {
  const { truth, detections, space } = boxes;
  const plain: TruthSet = { ...truth, crowd: new Uint8Array(truth.count) };
  const ap50 = (matches: readonly LabelMatches[]): number | null => cocoMetrics(matches, space.labels).metrics.AP50;
  const unlimited = matchBoxes(plain, detections, space, { ...cocoMatching, maxDetections: Infinity });
  const ultralytics = ultralyticsFigures(unlimited);
  const coco = summary.metrics.AP50;
  const withCrowds = ap50(matchBoxes(plain, detections, space, cocoMatching));
  const withAll = ap50(unlimited);
  if (ultralytics === null || coco === null || withCrowds === null || withAll === null)
    return { gaps: [], perLabel: [] };

  const plainSweeps = sweepLabels(unlimited);
  const inForce = metricsAt(sweeps, thresholds);
  const plainInForce = metricsAt(plainSweeps, thresholds);
  const supervision = supervisionFigures(truth, detections, space, thresholds);
  const atTheirs = metricsAt(plainSweeps, new Float64Array(space.labels.length).fill(ultralytics.threshold));
  const best = bestOfLabels(sweeps, space.imageCount);
  const counts: ToolGap['from'] = { tool: 'Counts at the current thresholds', value: inForce.total.f1 ?? 0 };
  const overLabels = { rule: 'the mean over labels, instead of all boxes together', value: meanF1(inForce) };
  const weighed = 'the mean over labels, each weighed by its truth, instead of all boxes together';
  const best50 = `one threshold for all labels, ${ultralytics.threshold.toFixed(3)}, where the smoothed mean F1 is best`;
  const gaps = [
    gapOf('AP50', { tool: 'COCO', value: coco }, toolNames.ultralytics, [
      { rule: asObjects, value: withCrowds },
      { rule: 'results of an image and label are not cut to 100', value: withAll },
      { rule: 'precision runs in straight lines between results, instead of steps', value: ultralytics.mAP50 },
    ]),
    gapOf('F1', counts, toolNames.ultralytics, [
      overLabels,
      { rule: asObjects, value: meanF1(plainInForce) },
      { rule: best50, value: meanF1(atTheirs) },
      { rule: 'F1 is read between results, instead of counted', value: ultralytics.f1 },
    ]),
    gapOf('F1', counts, `Roboflow’s ${toolNames.supervision}`, [
      { rule: weighed, value: weighedF1(inForce) },
      { rule: asObjects, value: weighedF1(plainInForce) },
      { rule: 'the pair that overlaps most comes first, instead of the most confident result', value: supervision.f1 },
    ]),
    gapOf('F1', counts, 'Best F1 of each label (as Roboflow’s sweep)', [
      overLabels,
      {
        rule: 'each label at its own best threshold, on the very images that it is counted on',
        value: best.reduce((sum, { f1 }) => sum + f1, 0) / best.length,
      },
    ]),
    ...confusionGaps(boxes, plain, inForce.total, [plainInForce.total, plainSweeps]),
  ];
  const perLabel = best.map(({ label, f1, threshold }): LabelByTool => {
    const theirs = supervision.perLabel[label];
    return {
      label,
      truth: sweeps[label]!.truthCount,
      counted: inForce.perLabel[label]!.f1,
      supervision: theirs ? ratesOf(theirs).f1 : null,
      ultralytics: ultralytics.labelF1.get(label) ?? null,
      best: f1,
      bestThreshold: threshold,
    };
  });
  return { gaps, perLabel };
}

const asObjects = 'crowds, and truth that is ignored, are objects like others';

/** A value after another rule was replaced. */
interface RuleStep {
  readonly rule: string;
  readonly value: number;
}

function gapOf(figure: ToolGap['figure'], from: ToolGap['from'], tool: string, steps: readonly RuleStep[]): ToolGap {
  const values = [from.value, ...steps.map(({ value }) => value)];
  return {
    figure,
    from,
    to: { tool, value: values.at(-1)! },
    rules: steps.map(({ rule, value }, at) => ({ rule, gap: value - values[at]! })),
  };
}

/** From the counts in force to those of Ultralytics' confusion matrix. */
function confusionGaps(
  { truth, detections, space }: EvaluatedBoxes,
  plain: TruthSet,
  inForce: Counts,
  [plainInForce, plainSweeps]: readonly [Counts, readonly LabelSweep[]],
): ToolGap[] {
  const { scoreAbove, overlapAbove } = ultralyticsRule;
  const justAbove = (value: number): number => value * (1 + Number.EPSILON);
  const one = new Float64Array(space.labels.length).fill(justAbove(scoreAbove));
  const iouThresholds = Float64Array.of(justAbove(overlapAbove));
  const looser = sweepLabels(matchBoxes(plain, detections, space, { iouThresholds, maxDetections: Infinity }));
  const steps: readonly (readonly [rule: string, counts: Counts])[] = [
    [asObjects, plainInForce],
    [`one threshold for all labels: a score above ${scoreAbove}`, metricsAt(plainSweeps, one).total],
    [`an overlap above ${overlapAbove} is enough`, metricsAt(looser, one).total],
    [
      'a result takes the truth that it overlaps most, whatever its label',
      ultralyticsConfusion(truth, detections, space),
    ],
  ];
  const figures = [
    ['Right boxes', 'truePositives'],
    ['False boxes', 'falsePositives'],
    ['Missed boxes', 'missed'],
  ] as const;
  return figures.map(([figure, count]) =>
    gapOf(
      figure,
      { tool: 'Counts at the current thresholds', value: inForce[count] },
      `Confusion matrix of ${toolNames.ultralytics}`,
      steps.map(([rule, counts]) => ({ rule, value: counts[count] })),
    ),
  );
}

const withTruth = ({ perLabel }: MetricsAt): MetricsAt['perLabel'] => perLabel.filter(({ truth }) => truth > 0);

/** Labels count alike. */
function meanF1(metrics: MetricsAt): number {
  const known = withTruth(metrics);
  return known.reduce((sum, { f1 }) => sum + (f1 ?? 0), 0) / Math.max(1, known.length);
}

/** Labels count as much as they have truth. */
function weighedF1(metrics: MetricsAt): number {
  const known = withTruth(metrics);
  const all = known.reduce((sum, { truth }) => sum + truth, 0);
  return known.reduce((sum, { f1, truth }) => sum + truth * (f1 ?? 0), 0) / Math.max(1, all);
}

function bestOfLabels(sweeps: readonly LabelSweep[], imageCount: number) {
  const known = sweeps.filter(({ truthCount }) => truthCount > 0);
  return known.map((sweep) => {
    const { kept } = chooseCut(sweep, { kind: 'best-f1' }, imageCount);
    const { f1 } = ratesOf(countsOfBest(sweep, kept));
    return { label: sweep.label, f1: f1 ?? 0, threshold: thresholdOfCut(sweep, kept) };
  });
}
