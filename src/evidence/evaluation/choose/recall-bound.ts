import { binomialShare } from '../intervals/quantiles.ts';
import { cutsOf, Outcome, thresholdOfCut, type LabelSweep } from '../sweep/label-sweep.ts';
import type { Units } from './choose-threshold.ts';

/** A promise about recall on frames like these. */
export interface RecallBound {
  /** the highest threshold that keeps the promise */
  readonly threshold: number;
  readonly kept: number;
  /** on the units at hand: the mean share of each unit's truth that is found, or the share of all truth */
  readonly seenRecall: number;
}

export type RecallBoundAnswer =
  | { readonly bound: RecallBound; readonly refused: null }
  | {
      readonly bound: null;
      readonly refused: {
        /** 'too-few': not even a model that finds all could be promised; 'too-low': even all results find too little */
        readonly reason: 'too-few' | 'too-low';
        /** units with truth that the promise takes at least, were nothing missed */
        readonly unitsNeeded: number;
        readonly units: number;
        /** how many units of equal weight these are worth: fewer where truth of all units is pooled and some have most of it */
        readonly evenUnits: number;
      };
    };

export interface RecallPromise {
  /** share of what is there, 0..1 */
  readonly recall: number;
  /**
   * how often the promise may be broken, over sets of frames like these; null: never mind how often, the mean over such
   * sets keeps it (conformal risk control)
   */
  readonly brokenAtMost: number | null;
}

/**
 * The highest threshold at which the mean recall of frames like these is promised; `boundPooledRecall` promises that of all
 * objects together. Loss is the share of a unit's truth that is missed, meant over units with truth: it only falls as the threshold falls, which is what such a promise needs (precision
 * does not). With `brokenAtMost`, thresholds are tried from the lowest up while the upper bound of the mean loss (the
 * smaller of Hoeffding's and Bentkus', for losses in 0..1) stays within the promise, so that the family of tests is
 * covered; without, by n/(n+1) · loss + 1/(n+1) ≤ 1 − recall.
 *
 * @param sweep of the label
 * @param units which images belong together
 * @param promise how much recall, how surely
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
 * const { refused } = boundRecall(cup, { count: 1, ofImage: [0] }, { recall: 0.95, brokenAtMost: 0.1 });
 * [refused.reason, refused.unitsNeeded]; // => ['too-few', 45]
 */
export function boundRecall(
  sweep: LabelSweep,
  { count, ofImage }: Units,
  { recall, brokenAtMost }: RecallPromise,
): RecallBoundAnswer {
  const mostLoss = 1 - recall;
  const truth = new Uint32Array(count);
  for (const image of sweep.truthImage) truth[ofImage[image]!]!++;
  const units = truth.reduce((sum, of) => sum + (of > 0 ? 1 : 0), 0);
  const isKept = (loss: number, of: number): boolean =>
    brokenAtMost === null
      ? of > 0 && (of / (of + 1)) * loss + 1 / (of + 1) <= mostLoss
      : of > 0 && lossPValue(loss, of, mostLoss) <= brokenAtMost;
  const unitsNeeded = fewestUnits((of) => isKept(0, of));
  if (units < unitsNeeded) return { bound: null, refused: { reason: 'too-few', unitsNeeded, units, evenUnits: units } };

  // Down the scores loss falls: the first cut from which on the promise holds for all lower ones.
  const found = new Uint32Array(count);
  let loss = units;
  const losses = new Float64Array(sweep.score.length + 1);
  losses[0] = 1;
  for (let at = 0; at < sweep.score.length; at++) {
    const unit = ofImage[sweep.image[at]!]!;
    if (sweep.outcome[at] === Outcome.true) {
      found[unit]!++;
      loss -= 1 / truth[unit]!;
    }
    losses[at + 1] = Math.max(0, loss / units);
  }
  const cuts = cutsOf(sweep);
  let best: number | null = null;
  for (const kept of cuts.toReversed()) {
    if (!isKept(losses[kept]!, units)) break;
    best = kept;
  }
  if (best === null) return { bound: null, refused: { reason: 'too-low', unitsNeeded, units, evenUnits: units } };
  return {
    bound: { threshold: thresholdOfCut(sweep, best), kept: best, seenRecall: 1 - losses[best]! },
    refused: null,
  };
}

/** How likely so small a mean loss is, were the real one above the most that is allowed. */
function lossPValue(loss: number, units: number, mostLoss: number): number {
  if (loss >= mostLoss) return 1;
  const part = (share: number, of: number): number => (share === 0 ? 0 : share * Math.log(share / of));
  const hoeffding = Math.exp(-units * (part(loss, mostLoss) + part(1 - loss, 1 - mostLoss)));
  const bentkus = Math.E * binomialShare(Math.ceil(units * loss - 1e-9), units, mostLoss);
  return Math.min(hoeffding, bentkus);
}

function fewestUnits(isEnough: (units: number) => boolean): number {
  let [low, high] = [0, 1];
  while (!isEnough(high) && high < 2 ** 30) [low, high] = [high, 2 * high];
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (isEnough(middle)) high = middle;
    else low = middle;
  }
  return high;
}
