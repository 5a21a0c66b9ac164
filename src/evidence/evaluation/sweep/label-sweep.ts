import type { LabelMatches } from '../match/match-boxes.ts';

/**
 * All thresholds of one label: matching goes down the scores, so a threshold cuts a prefix, and what stands before it is
 * exactly what a whole evaluation at that threshold gives. True only from the score on at which the model itself (a
 * `scoreThreshold` or a number of rows in its graph) leaves nothing out.
 */
export interface LabelSweep {
  readonly label: number;
  /** truth that counts */
  readonly truthCount: number;
  /** scores of the results, falling */
  readonly score: Float64Array;
  readonly image: Uint32Array;
  /** row in the DetectionSet */
  readonly row: Uint32Array;
  /** see `Outcome` */
  readonly outcome: Uint8Array;
  /** among the n best results: how many are true, and how many false */
  readonly truePositives: Uint32Array;
  readonly falsePositives: Uint32Array;
  /** image numbers of the truth that counts, one entry a truth */
  readonly truthImage: Uint32Array;
}

export const Outcome = { false: 0, true: 1, ignored: 2 } as const;

/** What a threshold keeps and misses. */
export interface Counts {
  readonly truePositives: number;
  readonly falsePositives: number;
  readonly missed: number;
}

/** Null: there is nothing to divide by. */
export interface Rates {
  readonly precision: number | null;
  readonly recall: number | null;
  readonly f1: number | null;
}

/**
 * Counts up the matches of every label at one IoU and size.
 *
 * @param matches of `matchBoxes`
 * @param at which IoU threshold and area range of the matching; default: the first of each
 * @returns a sweep a label
 * @example
 * import { DetectionSetBuilder, TruthSetBuilder } from '../build-sets.ts';
 * import { matchBoxes } from '../match/match-boxes.ts';
 * const truth = new TruthSetBuilder();
 * truth.add(0, 0, [0, 0, 10, 10]);
 * const found = new DetectionSetBuilder();
 * found.add(0, 0, [0, 0, 10, 10], 0.9);
 * found.add(0, 0, [50, 0, 10, 10], 0.6);
 * const [cup] = sweepLabels(matchBoxes(truth.build(), found.build(), { imageCount: 1, labels: ['cup'] }));
 * [...cup.falsePositives]; // => [0, 0, 1]
 */
export function sweepLabels(
  matches: readonly LabelMatches[],
  { iou = 0, area = 0 }: { readonly iou?: number; readonly area?: number } = {},
): LabelSweep[] {
  return matches.map((found) => {
    const bits = found.outcomes[area]!;
    const outcome = new Uint8Array(bits.length);
    const truePositives = new Uint32Array(bits.length + 1);
    const falsePositives = new Uint32Array(bits.length + 1);
    for (let at = 0; at < bits.length; at++) {
      const isTrue = (bits[at]! >>> iou) & 1;
      const isIgnored = (bits[at]! >>> (iou + 16)) & 1;
      outcome[at] = isTrue | (isIgnored << 1);
      truePositives[at + 1] = truePositives[at]! + isTrue;
      falsePositives[at + 1] = falsePositives[at]! + (1 - (isTrue | isIgnored));
    }
    return {
      label: found.label,
      truthCount: found.truthCounts[area]!,
      score: found.score,
      image: found.image,
      row: found.row,
      outcome,
      truePositives,
      falsePositives,
      truthImage: found.countedImage,
    };
  });
}

/**
 * @param sweep of the label
 * @param threshold the lowest score that is kept, compared as the machine does, in double precision
 * @returns how many of the best results are kept
 * @example
 * keptAt({ score: Float64Array.of(0.9, 0.6) }, 0.7); // => 1
 */
export function keptAt({ score }: Pick<LabelSweep, 'score'>, threshold: number): number {
  let [from, to] = [0, score.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (score[middle]! - threshold >= 0) from = middle + 1;
    else to = middle;
  }
  return from;
}

/**
 * @param sweep of the label
 * @param threshold the lowest score that is kept
 * @returns what the threshold keeps and misses
 * @example
 * const sweep = {
 *   score: Float64Array.of(0.9, 0.6),
 *   truePositives: Uint32Array.of(0, 1, 1),
 *   falsePositives: Uint32Array.of(0, 0, 1),
 *   truthCount: 3,
 * };
 * countsAt(sweep, 0.5); // => { truePositives: 1, falsePositives: 1, missed: 2 }
 */
export function countsAt(sweep: LabelSweep, threshold: number): Counts {
  return countsOfBest(sweep, keptAt(sweep, threshold));
}

/**
 * @param sweep of the label
 * @param kept how many of the best results are kept
 * @returns what that keeps and misses
 * @example countsOfBest(sweep, 10);
 */
export function countsOfBest({ truePositives, falsePositives, truthCount }: LabelSweep, kept: number): Counts {
  const found = truePositives[kept]!;
  return { truePositives: found, falsePositives: falsePositives[kept]!, missed: truthCount - found };
}

/**
 * @param counts what a threshold keeps and misses
 * @returns precision, recall and F1; null where there is nothing to divide by
 * @example ratesOf({ truePositives: 3, falsePositives: 1, missed: 1 }).f1; // => 0.75
 */
export function ratesOf({ truePositives, falsePositives, missed }: Counts): Rates {
  const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);
  return {
    precision: share(truePositives, truePositives + falsePositives),
    recall: share(truePositives, truePositives + missed),
    f1: share(2 * truePositives, 2 * truePositives + falsePositives + missed),
  };
}

/**
 * The numbers of best results that some threshold keeps: equal scores cannot be parted.
 *
 * @param sweep of the label
 * @returns ascending, from 0 (nothing is kept) to all
 * @example for (const kept of cutsOf(sweep)) points.push(ratesOf(countsOfBest(sweep, kept)));
 */
export function cutsOf({ score }: Pick<LabelSweep, 'score'>): Uint32Array {
  const cuts = new Uint32Array(score.length + 1);
  let count = 1;
  for (let kept = 1; kept <= score.length; kept++) {
    if (kept === score.length || score[kept]! < score[kept - 1]!) cuts[count++] = kept;
  }
  return cuts.subarray(0, count);
}

/**
 * The threshold that keeps exactly so many of the best results: of the numbers between the lowest score kept and the
 * highest dropped the one of fewest decimals, next to the middle. Scores and machine compare in double precision. Where
 * all are kept, it lies within 0.01 below the lowest of them: nothing was seen of lower scores, so none is let in.
 *
 * @param sweep of the label
 * @param kept one of `cutsOf`
 * @returns the threshold; 0 where there are no results
 * @example thresholdOfCut(sweep, 10); // 0.63
 */
export function thresholdOfCut({ score }: Pick<LabelSweep, 'score'>, kept: number): number {
  if (score.length === 0) return 0;
  const lowestKept = kept > 0 ? score[kept - 1]! : aboveAll(score[0]!);
  return thresholdBetween(kept < score.length ? score[kept]! : lowestKept - 0.01, lowestKept);
}

const aboveAll = (highest: number): number => (highest < 1 ? 1 : highest + 1);

function thresholdBetween(below: number, atMost: number): number {
  const middle = below + (atMost - below) / 2;
  for (let digits = 1; digits <= 17; digits++) {
    const candidate = Number(middle.toFixed(digits)) + 0; // not -0, which would be written as it is
    if (candidate > below && candidate <= atMost) return candidate;
  }
  return atMost;
}
