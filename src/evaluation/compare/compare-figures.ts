import { PrecisionCurve } from '../coco/precision-curve.ts';
import { pairedDifference, type Estimate } from '../intervals/ratio-interval.ts';
import { seededNumbers } from '../intervals/seeded-numbers.ts';
import type { Units } from '../choose/choose-threshold.ts';
import { keptAt, Outcome, type LabelSweep } from '../sweep/label-sweep.ts';

export type ComparedFigure = 'precision' | 'recall' | 'f1' | 'AP50';

export interface FigureDifference {
  readonly figure: ComparedFigure;
  /** null: of all boxes, and for AP50 the mean over labels */
  readonly label: number | null;
  /** second − first, with its interval; null: undefined on one side */
  readonly difference: Estimate | null;
  /** of the second against the first */
  readonly verdict: 'better' | 'worse' | 'cannot tell';
  /** how many units in all would decide, were the difference what it seems to be; null: decided, or no difference */
  readonly unitsToTell: number | null;
}

/** One side of a comparison, of the same images and truth as the other. */
export interface ComparedSide {
  readonly sweeps: readonly LabelSweep[];
  readonly thresholds: ArrayLike<number>;
}

const resamples = 200;

/**
 * Compares two sides on the same units: what both share, hard frames and easy ones, cancels. "Better" and "worse" are
 * said where the 95 % interval of the difference does not hold 0; else "cannot tell", with how many units would. AP's
 * interval comes from drawing the units again, the others from the units' spread.
 *
 * @param first such as what is in force
 * @param second such as what would be
 * @param units which images belong together
 * @param seed the same seed gives the same intervals
 * @returns differences of all boxes, then of each label
 * @example
 * import { DetectionSetBuilder, TruthSetBuilder } from '../build-sets.ts';
 * import { evaluateBoxes } from '../report/summarize.ts';
 * const truth = new TruthSetBuilder();
 * truth.add(0, 0, [0, 0, 10, 10]);
 * const found = new DetectionSetBuilder();
 * found.add(0, 0, [0, 0, 10, 10], 0.9);
 * const { sweeps } = evaluateBoxes(truth.build(), found.build(), { imageCount: 1, labels: ['cup'] }, [0.5]);
 * const [float, int8] = [{ sweeps, thresholds: [0.5] }, { sweeps, thresholds: [0.95] }];
 * compareFigures(float, int8, { count: 1, ofImage: [0] })[1].figure; // => 'recall'
 */
export function compareFigures(first: ComparedSide, second: ComparedSide, units: Units, seed = 1): FigureDifference[] {
  const labels = first.sweeps.map((_, label) => label);
  const differences: FigureDifference[] = [];
  for (const chosen of [null, ...labels]) {
    const numbers = chosen === null ? labels : [chosen];
    if (numbers.every((label) => first.sweeps[label]!.truthCount === 0)) continue;
    const [a, b] = [first, second].map((side) => unitCounts(side, numbers, units)) as [UnitCounts, UnitCounts];
    for (const figure of ['precision', 'recall', 'f1'] as const) {
      const difference = pairedDifference(a[figure], b[figure]);
      differences.push(judged(figure, chosen, difference, units.count));
    }
    const sides = [first, second].map(({ sweeps }) => numbers.map((label) => sweeps[label]!)) as [
      LabelSweep[],
      LabelSweep[],
    ];
    differences.push(judged('AP50', chosen, precisionDifference(sides, units, seed), units.count));
  }
  return differences;
}

function judged(
  figure: ComparedFigure,
  label: number | null,
  difference: Estimate | null,
  units: number,
): FigureDifference {
  if (!difference) return { figure, label, difference, verdict: 'cannot tell', unitsToTell: null };
  const { value, low, high } = difference;
  if (low > 0) return { figure, label, difference, verdict: 'better', unitsToTell: null };
  if (high < 0) return { figure, label, difference, verdict: 'worse', unitsToTell: null };
  // An interval's width falls with the root of the units.
  const half = Math.max(high - value, value - low);
  const unitsToTell = value === 0 || half === 0 ? null : Math.ceil(units * (half / value) ** 2);
  return { figure, label, difference, verdict: 'cannot tell', unitsToTell };
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
  [first, second]: readonly [readonly LabelSweep[], readonly LabelSweep[]],
  { count, ofImage }: Units,
  seed: number,
): Estimate | null {
  const next = seededNumbers(seed);
  const weight = new Uint32Array(count).fill(1);
  const differenceNow = (): number | null => {
    const [a, b] = [meanPrecision(first, weight, ofImage), meanPrecision(second, weight, ofImage)];
    return a === null || b === null ? null : b - a;
  };
  const value = differenceNow();
  if (value === null) return null;
  const drawn: number[] = [];
  for (let time = 0; time < resamples; time++) {
    weight.fill(0);
    for (let draw = 0; draw < count; draw++) weight[next() % count]!++;
    const one = differenceNow();
    if (one !== null) drawn.push(one);
  }
  drawn.sort((a, b) => a - b);
  const at = (share: number): number => drawn[Math.min(drawn.length - 1, Math.floor(share * drawn.length))] ?? value;
  return { value, low: Math.min(value, at(0.025)), high: Math.max(value, at(0.975)) };
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
