import { countedShare, isAtLeast, trialsNeeded } from '../intervals/lower-bound.ts';
import { cutsOf, Outcome, thresholdOfCut, type LabelSweep } from '../sweep/label-sweep.ts';
import type { Units } from './choose-threshold.ts';
import type { RecallBoundAnswer } from './recall-bound.ts';

/** A promise about the recall of all objects together. */
export interface PooledRecallPromise {
  /** share of all objects, above 0 and below 1 */
  readonly recall: number;
  /** how often the promise may be broken, over sets of frames like these; below 0.5 */
  readonly brokenAtMost: number;
}

/**
 * The highest threshold at which a share of all objects together is promised to be found on frames like these: crowded
 * frames weigh as much as they have objects, where `boundRecall` lets each frame weigh alike. The share is a ratio over
 * units, bounded by `lowerBound`. Thresholds are tried from the lowest up while the bound reaches the promise, a fixed
 * order of tests, so that the family of them is covered.
 *
 * @param sweep of the label
 * @param units which images belong together
 * @param promise how much of all truth, how surely
 * @returns the bound, or why there is none
 * @example
 * import { DetectionSetBuilder, TruthSetBuilder } from '../build-sets.ts';
 * import { matchBoxes } from '../match/match-boxes.ts';
 * import { sweepLabels } from '../sweep/label-sweep.ts';
 * const truth = new TruthSetBuilder();
 * truth.add(0, 0, [0, 0, 10, 10]);
 * const found = new DetectionSetBuilder();
 * found.add(0, 0, [0, 0, 10, 10], 0.9);
 * const [cup] = sweepLabels(matchBoxes(truth.build(), found.build(), { imageCount: 1, labels: ['cup'] }));
 * const { refused } = boundPooledRecall(cup, { count: 1, ofImage: [0] }, { recall: 0.95, brokenAtMost: 0.1 });
 * [refused.reason, refused.unitsNeeded]; // => ['too-few', 45]
 */
export function boundPooledRecall(
  sweep: LabelSweep,
  { count, ofImage }: Units,
  { recall, brokenAtMost }: PooledRecallPromise,
): RecallBoundAnswer {
  const confidence = 1 - brokenAtMost;
  const truth = new Uint32Array(count);
  for (const image of sweep.truthImage) truth[ofImage[image]!]!++;
  const whole = sweep.truthImage.length;
  const units = truth.reduce((sum, of) => sum + (of > 0 ? 1 : 0), 0);
  const truthSquares = truth.reduce((sum, of) => sum + of ** 2, 0);
  const evenUnits = whole === 0 ? 0 : whole ** 2 / truthSquares;
  const unitsNeeded = trialsNeeded(recall, confidence);
  const counts = { unitsNeeded, units, evenUnits: Math.floor(evenUnits + 1e-9) };
  if (counts.evenUnits < unitsNeeded) return { bound: null, refused: { reason: 'too-few', ...counts } };

  const found = new Uint32Array(count);
  let [right, foundSquares, foundByTruth, at] = [0, 0, 0, 0];
  let best: { readonly kept: number; readonly seenRecall: number } | null = null;
  for (const kept of cutsOf(sweep)) {
    for (; at < kept; at++) {
      if (sweep.outcome[at] !== Outcome.true) continue;
      const unit = ofImage[sweep.image[at]!]!;
      right++;
      foundByTruth += truth[unit]!;
      foundSquares += 2 * found[unit]! + 1;
      found[unit]!++;
    }
    // Σ (found − value · truth)², without a walk over all units at each cut
    const value = right / whole;
    const squares = foundSquares - 2 * value * foundByTruth + value ** 2 * truthSquares;
    const variance = squares <= 1e-9 * truthSquares ? 0 : (units / (units - 1)) * (squares / whole ** 2);
    const counted = countedShare({ value, whole, variance, units, evenUnits }, confidence);
    // The best cut is the first after the last that does not hold.
    if (!isAtLeast(counted, recall, confidence)) best = null;
    else best ??= { kept, seenRecall: value };
  }
  if (!best) return { bound: null, refused: { reason: 'too-low', ...counts } };
  return { bound: { ...best, threshold: thresholdOfCut(sweep, best.kept) }, refused: null };
}
