import { PrecisionCurve } from '../coco/precision-curve.ts';
import { falseDiscoveryLevels } from '../intervals/false-discovery.ts';
import { normalQuantile } from '../intervals/quantiles.ts';
import { differenceOf, pairedDifference, type Difference, type Estimate } from '../intervals/ratio-interval.ts';
import { seededNumbers } from '../intervals/seeded-numbers.ts';
import type { Units } from '../choose/choose-threshold.ts';
import { keptAt, Outcome, type LabelSweep } from '../sweep/label-sweep.ts';

export type ComparedFigure = 'precision' | 'recall' | 'f1' | 'AP50';

export interface FigureDifference {
  readonly figure: ComparedFigure;
  /** null: of all boxes, and for AP50 the mean over labels */
  readonly label: number | null;
  /** the figure of the first side; null: there is nothing to divide by */
  readonly first: number | null;
  readonly second: number | null;
  /** second − first, with its interval; null: undefined on one side */
  readonly difference: Estimate | null;
  /** verdict on the second side, against the first */
  readonly verdict: 'better' | 'worse' | 'cannot tell';
  /** how many units in all would decide, were the difference what it seems to be; null: decided, or no difference */
  readonly unitsToTell: number | null;
  /** how many units are not alike on both sides; with none, the interval says nothing */
  readonly unitsDiffering: number;
}

/** One side of a comparison, of the same images and truth as the other. */
export interface ComparedSide {
  readonly sweeps: readonly LabelSweep[];
  readonly thresholds: ArrayLike<number>;
}

const resamples = 200;

/** Were both sides alike, five units that differ would all favour one side in 6 of 100 cases: too often to decide. */
const fewestDiffering = 6;

/** The share of the verdicts on all boxes, and of those on single labels, that is false on average: at most so many. */
export const falseVerdicts = 0.05;

/**
 * Compares two sides on the same units: what both share, hard frames and easy ones, cancels. "Better" and "worse" are
 * said where chance seldom makes such a difference; else "cannot tell", with how many units would. Many figures are asked
 * at once: the false discovery rate is held over all boxes' figures, and over those of all labels, so that a label is
 * decided by more than its own 95 % interval. An interval of fewer than six units that differ always holds 0. AP's
 * interval comes from drawing the units again, the others from the units' spread.
 *
 * @param first such as what is in force
 * @param second such as what would be
 * @param units which images belong together
 * @param averagePrecision of `measureAveragePrecision`, which thresholds do not change; default: computed here
 * @returns differences of all boxes, then of each label
 * @example
 * import { DetectionSetBuilder, TruthSetBuilder } from '../build-sets.ts';
 * import { evaluateBoxes } from '../summary/summarize.ts';
 * const truth = new TruthSetBuilder();
 * truth.add(0, 0, [0, 0, 10, 10]);
 * const found = new DetectionSetBuilder();
 * found.add(0, 0, [0, 0, 10, 10], 0.9);
 * const { sweeps } = evaluateBoxes(truth.build(), found.build(), { imageCount: 1, labels: ['cup'] }, [0.5]);
 * const [float, int8] = [{ sweeps, thresholds: [0.5] }, { sweeps, thresholds: [0.95] }];
 * compareFigures(float, int8, { count: 1, ofImage: [0] })[1].figure; // => 'recall'
 */
export function compareFigures(
  first: ComparedSide,
  second: ComparedSide,
  units: Units,
  averagePrecision: readonly MeasuredDifference[] = measureAveragePrecision(first.sweeps, second.sweeps, units),
): FigureDifference[] {
  const differences: MeasuredDifference[] = [];
  for (const { label: chosen, numbers } of labelsWithTruth(first.sweeps, second.sweeps)) {
    const [a, b] = [first, second].map((side) => unitCounts(side, numbers, units)) as [UnitCounts, UnitCounts];
    for (const figure of ['precision', 'recall', 'f1'] as const) {
      differences.push(
        measured(figure, chosen, {
          first: shareOf(a[figure]),
          second: shareOf(b[figure]),
          difference: pairedDifference(a[figure], b[figure]),
          unitsDiffering: countDiffering(a[figure], b[figure]),
        }),
      );
    }
    differences.push(...averagePrecision.filter(({ label }) => label === chosen));
  }
  return judgeDifferences(differences, units.count);
}

/**
 * How the average precision at IoU 0.5 differs, which no threshold changes, for `compareFigures` to judge with the others.
 *
 * @param first sweeps of one side
 * @param second sweeps of the other, of the same labels
 * @param units which images belong together
 * @param seed the same seed gives the same intervals
 * @returns the mean over labels, then each label with truth
 * @example
 * import { DetectionSetBuilder, TruthSetBuilder } from '../build-sets.ts';
 * import { evaluateBoxes } from '../summary/summarize.ts';
 * const truth = new TruthSetBuilder();
 * truth.add(0, 0, [0, 0, 10, 10]);
 * const found = new DetectionSetBuilder();
 * found.add(0, 0, [0, 0, 10, 10], 0.9);
 * const { sweeps } = evaluateBoxes(truth.build(), found.build(), { imageCount: 1, labels: ['cup'] }, [0.5]);
 * measureAveragePrecision(sweeps, sweeps, { count: 1, ofImage: [0] })[0].difference.value; // => 0
 */
export function measureAveragePrecision(
  first: readonly LabelSweep[],
  second: readonly LabelSweep[],
  units: Units,
  seed = 1,
): MeasuredDifference[] {
  return labelsWithTruth(first, second).map(({ label, numbers }) => {
    const [a, b] = [first, second].map((sweeps) => numbers.map((number) => sweeps[number]!)) as [
      LabelSweep[],
      LabelSweep[],
    ];
    return measured('AP50', label, precisionDifference(a, b, units, seed));
  });
}

/** All labels together, then each label of which one side has truth. */
function labelsWithTruth(first: readonly LabelSweep[], second: readonly LabelSweep[]) {
  const labels = first.map((_, label) => label);
  const hasTruth = (label: number): boolean => first[label]!.truthCount > 0 || second[label]!.truthCount > 0;
  const withTruth = labels.filter(hasTruth);
  if (withTruth.length === 0) return [];
  return [{ label: null, numbers: labels }, ...withTruth.map((label) => ({ label, numbers: [label] }))];
}

/** A difference of which nothing is said yet. */
export type MeasuredDifference = Omit<FigureDifference, 'verdict' | 'unitsToTell' | 'difference'> & {
  /** an interval of too few units that differ holds 0 */
  readonly difference: Difference | null;
};

type CountedDifference = Omit<MeasuredDifference, 'figure' | 'label'>;

function measured(figure: ComparedFigure, label: number | null, counted: CountedDifference): MeasuredDifference {
  const { difference: found, unitsDiffering } = counted;
  if (!found || unitsDiffering >= fewestDiffering) return { figure, label, ...counted };
  const difference = { ...found, low: Math.min(0, found.low), high: Math.max(0, found.high), pValue: 1 };
  return { figure, label, ...counted, difference };
}

/**
 * Decides which differences chance seldom makes: the false discovery rate is held over those of all boxes, and over those
 * of single labels.
 *
 * @param differences that are asked at once
 * @param units how many there are
 * @returns the same, with verdicts
 * @example
 * const difference = { value: 0.1, low: 0.04, high: 0.16, pValue: 0.002 };
 * const found = { figure: 'recall', label: null, first: 0.7, second: 0.8, difference, unitsDiffering: 9 };
 * judgeDifferences([found], 40)[0].verdict; // => 'better'
 */
export function judgeDifferences(differences: readonly MeasuredDifference[], units: number): FigureDifference[] {
  const ofAll = differences.filter(({ label }) => label === null);
  const ofLabels = differences.filter(({ label }) => label !== null);
  return [...judgedTogether(ofAll, units), ...judgedTogether(ofLabels, units)];
}

function judgedTogether(differences: readonly MeasuredDifference[], units: number): FigureDifference[] {
  const pValues = differences.map(({ difference }) => difference?.pValue ?? 1);
  const asked = differences.filter(({ difference }) => difference).length;
  // What has no difference was not asked.
  const levels = falseDiscoveryLevels(pValues).map((one) => Math.min(1, (one * asked) / pValues.length));
  return differences.map(({ difference: found, ...said }, at) => {
    if (!found) return { ...said, difference: null, verdict: 'cannot tell', unitsToTell: null };
    const { value, low, high, pValue } = found;
    const difference = { value, low, high };
    if (levels[at]! <= falseVerdicts)
      return { ...said, difference, verdict: value > 0 ? 'better' : 'worse', unitsToTell: null };
    if (value === 0) return { ...said, difference, verdict: 'cannot tell', unitsToTell: null };
    // An interval's width falls with the root of the units.
    const byWidth = units * (Math.max(high - value, value - low) / value) ** 2;
    const byRate = pValue < 1 ? units * (zOf((falseVerdicts * pValue) / levels[at]!) / zOf(pValue)) ** 2 : 0;
    const isFew = said.unitsDiffering > 0 && said.unitsDiffering < fewestDiffering;
    const byCount = isFew ? (units * fewestDiffering) / said.unitsDiffering : 0;
    const unitsToTell = Math.ceil(Math.max(byWidth, byRate, byCount));
    return { ...said, difference, verdict: 'cannot tell', unitsToTell: Math.max(unitsToTell, units + 1) };
  });
}

const zOf = (pValue: number): number => normalQuantile(1 - pValue / 2);

const shareOf = ({ parts, wholes }: UnitCounts['f1']): number | null => {
  const whole = sumOf(wholes);
  return whole === 0 ? null : sumOf(parts) / whole;
};

const sumOf = (numbers: Float64Array): number => numbers.reduce((sum, one) => sum + one, 0);

function countDiffering(first: UnitCounts['f1'], second: UnitCounts['f1']): number {
  let count = 0;
  for (const [unit, part] of first.parts.entries())
    if (part !== second.parts[unit] || first.wholes[unit] !== second.wholes[unit]) count++;
  return count;
}

type UnitCounts = Record<
  'precision' | 'recall' | 'f1',
  { readonly parts: Float64Array; readonly wholes: Float64Array }
>;

function unitCounts(
  { sweeps, thresholds }: ComparedSide,
  labels: readonly number[],
  { count, ofImage }: Units,
): UnitCounts {
  const [found, kept, truth] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)];
  for (const label of labels) {
    const sweep = sweeps[label]!;
    for (const image of sweep.truthImage) truth[ofImage[image]!]!++;
    const last = keptAt(sweep, thresholds[label] ?? -Infinity);
    for (let at = 0; at < last; at++) {
      if (sweep.outcome[at] === Outcome.ignored) continue;
      const unit = ofImage[sweep.image[at]!]!;
      kept[unit]!++;
      if (sweep.outcome[at] === Outcome.true) found[unit]!++;
    }
  }
  return {
    precision: { parts: found, wholes: kept },
    recall: { parts: found, wholes: truth },
    f1: { parts: found.map((one) => 2 * one), wholes: kept.map((one, unit) => one + truth[unit]!) },
  };
}

function precisionDifference(
  first: readonly LabelSweep[],
  second: readonly LabelSweep[],
  units: Units,
  seed: number,
): CountedDifference {
  const { count, ofImage } = units;
  const next = seededNumbers(seed);
  const weight = new Uint32Array(count).fill(1);
  const [a, b] = [meanPrecision(first, weight, ofImage), meanPrecision(second, weight, ofImage)];
  const unitsDiffering = countOtherScores(first, second, units);
  if (a === null || b === null) return { first: a, second: b, difference: null, unitsDiffering };
  const value = b - a;
  const drawn: number[] = [];
  for (let time = 0; time < resamples && count > 1; time++) {
    weight.fill(0);
    for (let draw = 0; draw < count; draw++) weight[next() % count]!++;
    const [one, other] = [meanPrecision(first, weight, ofImage), meanPrecision(second, weight, ofImage)];
    if (one !== null && other !== null) drawn.push(other - one);
  }
  const standardError = count > 1 ? spreadOf(drawn) * Math.sqrt(count / (count - 1)) : null;
  return { first: a, second: b, difference: differenceOf(value, standardError, count - 1), unitsDiffering };
}

function spreadOf(numbers: readonly number[]): number {
  const mean = numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
  return Math.sqrt(numbers.reduce((sum, one) => sum + (one - mean) ** 2, 0) / Math.max(1, numbers.length - 1));
}

/** How many units have other results, or other scores of them. */
function countOtherScores(
  first: readonly LabelSweep[],
  second: readonly LabelSweep[],
  { count, ofImage }: Units,
): number {
  const gap = new Float64Array(count);
  for (const [sweeps, sign] of [
    [first, 1],
    [second, -1],
  ] as const)
    for (const { image, score, outcome } of sweeps)
      for (let at = 0; at < score.length; at++) gap[ofImage[image[at]!]!]! += sign * (score[at]! + 2 * outcome[at]!);
  return gap.filter((one) => Math.abs(one) > 1e-9).length;
}

/** Mean AP at IoU 0.5, each unit counted as often as it was drawn. */
function meanPrecision(sweeps: readonly LabelSweep[], weight: Uint32Array, ofImage: ArrayLike<number>): number | null {
  const curve = new PrecisionCurve();
  let [sum, labels] = [0, 0];
  for (const sweep of sweeps) {
    let truthCount = 0;
    for (const image of sweep.truthImage) truthCount += weight[ofImage[image]!]!;
    if (truthCount === 0) continue;
    curve.readWeighted(sweep.outcome, (at) => weight[ofImage[sweep.image[at]!]!]!, truthCount);
    sum += curve.mean();
    labels++;
  }
  return labels === 0 ? null : sum / labels;
}
