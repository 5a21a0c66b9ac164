import type { Units } from '../evaluation/face/thresholds.ts';
import { type BoundedShare, lowerBound } from '../evaluation/face/intervals.ts';
import { keptAt, type LabelSweep, Outcome } from '../evaluation/face/sweep.ts';
import type { Claim, CountedClaim } from './certificate.ts';

/**
 * Few images may not include the rare kind that has many false boxes, and then the bound on precision is too high: with 20
 * images it is false in 12 % of cases instead of 10 %, with 30 in 4 % (bench/figures/coverage.ts).
 */
export const fewestForPrecision = 30;

/** The boxes that were evaluated, at the thresholds of the configuration. */
export interface EvaluatedBoxes {
  /** at IoU 0.5 */
  readonly sweeps: readonly LabelSweep[];
  /** by label number */
  readonly labels: readonly string[];
  /** the lowest score that is kept, by label number; +Infinity: the label is dropped */
  readonly thresholds: ArrayLike<number>;
  readonly units: Units;
}

/** The counts behind a claim, and how sure it is that the figure is lower than claimed. */
export interface ClaimCount {
  readonly counted: CountedClaim;
  /** on other frames the figure is at most this, with the same confidence */
  readonly atMost: number;
}

/**
 * Counts a claim unit by unit and bounds it.
 *
 * @param claim the figure and its label
 * @param boxes what was evaluated
 * @param confidence above 0.5 and below 1
 * @returns null: there is no such label, no truth for its recall, or no kept result for its precision
 * @example
 * import { DetectionSetBuilder, TruthSetBuilder } from '../evaluation/build-sets.ts';
 * import { evaluateBoxes } from '../evaluation/summary/summarize.ts';
 * const truth = new TruthSetBuilder();
 * truth.add(0, 0, [0, 0, 10, 10]);
 * const found = new DetectionSetBuilder();
 * found.add(0, 0, [0, 0, 10, 10], 0.9);
 * const labels = ['cup'];
 * const { sweeps } = evaluateBoxes(truth.build(), found.build(), { imageCount: 1, labels }, [0.5]);
 * const boxes = { sweeps, labels, thresholds: [0.5], units: { count: 1, ofImage: [0] } };
 * countClaim({ figure: 'recall', label: 'cup', atLeast: 0.05 }, boxes, 0.9).counted.bound.toFixed(2); // => '0.10'
 */
export function countClaim(
  claim: Claim,
  { sweeps, labels, thresholds, units }: EvaluatedBoxes,
  confidence: number,
): ClaimCount | null {
  const [right, all] = [new Float64Array(units.count), new Float64Array(units.count)];
  const asked = claim.label?.toLowerCase();
  for (const sweep of sweeps) {
    if (asked !== undefined && labels[sweep.label]!.toLowerCase() !== asked) continue;
    const kept = keptAt(sweep, thresholds[sweep.label] ?? Infinity);
    for (let at = 0; at < kept; at++) {
      const unit = units.ofImage[sweep.image[at]!]!;
      if (sweep.outcome[at] === Outcome.true) right[unit]!++;
      if (claim.figure === 'precision' && sweep.outcome[at] !== Outcome.ignored) all[unit]!++;
    }
    if (claim.figure === 'recall') for (const image of sweep.truthImage) all[units.ofImage[image]!]!++;
  }
  const counted = lowerBound(right, all, confidence);
  if (!counted) return null;
  const wrong = lowerBound(
    all.map((count, unit) => count - right[unit]!),
    all,
    confidence,
  )!;
  return { counted: { ...claim, ...counted }, atMost: 1 - wrong.bound };
}

/**
 * @param counted a claim with its bound
 * @returns whether the bound reaches what is claimed
 * @example isCarried({ atLeast: 0.95, bound: 0.96 }); // => true
 */
export const isCarried = ({ atLeast, bound }: Pick<Claim, 'atLeast'> & Pick<BoundedShare, 'bound'>): boolean =>
  bound >= atLeast;
