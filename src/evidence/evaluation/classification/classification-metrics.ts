import { shareInterval, type Estimate } from '../intervals/ratio-interval.ts';
import { ratesOf, type Counts, type Rates } from '../sweep/label-sweep.ts';

/** What a classifier said of images whose label is known. */
export interface ClassifiedSet {
  readonly count: number;
  /** the right label's number, by image */
  readonly truth: Uint32Array;
  /** scores of all labels, image after image: that of label l in image i is scores[i · labels + l] */
  readonly scores: Float64Array;
  readonly labelCount: number;
}

export interface ClassificationMetrics {
  /** null: there are no images */
  readonly accuracy: Estimate | null;
  /** share of images whose label is among the k best, by k */
  readonly topK: Readonly<Record<number, number | null>>;
  readonly perLabel: readonly (Counts & Rates)[];
  /** counts[truth · labels + said] */
  readonly confusion: Uint32Array;
  readonly calibration: Calibration;
}

export interface Calibration {
  /** mean distance between how sure the model is and how often it is right; null without images */
  readonly expectedError: number | null;
  readonly bins: readonly CalibrationBin[];
}

/** Images of about the same best score. */
export interface CalibrationBin {
  readonly count: number;
  readonly meanScore: number;
  /** how often the best label is right, with its interval */
  readonly right: Estimate;
}

/**
 * Figures of a classifier. The label said is the one of the best score; equal scores keep the labels' order, as the
 * machine's top n does.
 *
 * @param classified what was said of which truth
 * @param ks for top-k
 * @param bins into how many bins of equal count the reliability curve is put; equal scores are never parted
 * @returns accuracy, top-k, figures of each label, confusion, calibration
 * @example
 * const scores = Float64Array.of(0.7, 0.3, 0.6, 0.4);
 * const classified = { count: 2, labelCount: 2, truth: Uint32Array.of(0, 1), scores };
 * classificationMetrics(classified).accuracy.value; // => 0.5
 */
export function classificationMetrics(
  { count, truth, scores, labelCount }: ClassifiedSet,
  ks: readonly number[] = [1, 3, 5],
  bins = 15,
): ClassificationMetrics {
  const confusion = new Uint32Array(labelCount * labelCount);
  const rank = new Uint32Array(count);
  const best: { score: number; isRight: boolean }[] = [];
  for (let image = 0; image < count; image++) {
    const own = scores.subarray(image * labelCount, (image + 1) * labelCount);
    const right = truth[image]!;
    let said = 0;
    for (let label = 0; label < labelCount; label++) {
      if (own[label]! > own[said]!) said = label;
      if (own[label]! > own[right]! || (own[label] === own[right] && label < right)) rank[image]!++;
    }
    confusion[right * labelCount + said]!++;
    best.push({ score: own[said] ?? 0, isRight: said === right });
  }
  const rightOnes = best.map(({ isRight }) => (isRight ? 1 : 0));
  const share = (k: number): number | null => (count === 0 ? null : rank.filter((place) => place < k).length / count);
  return {
    accuracy: shareInterval(rightOnes, new Uint8Array(count).fill(1)),
    topK: Object.fromEntries(ks.map((k) => [k, share(k)])),
    perLabel: Array.from({ length: labelCount }, (_, label) => labelFigures(confusion, label, labelCount)),
    confusion,
    calibration: calibrationOf(best, bins),
  };
}

function labelFigures(confusion: Uint32Array, label: number, labelCount: number): Counts & Rates {
  const truePositives = confusion[label * labelCount + label]!;
  let [said, there] = [0, 0];
  for (let other = 0; other < labelCount; other++) {
    said += confusion[other * labelCount + label]!;
    there += confusion[label * labelCount + other]!;
  }
  const counts = { truePositives, falsePositives: said - truePositives, missed: there - truePositives };
  return { ...counts, ...ratesOf(counts) };
}

/**
 * The reliability curve and the expected calibration error: bins of about equal count along the scores. A quantised
 * model has few different scores, and a bin never parts equal ones.
 *
 * @param judged scores, and whether what was said with them is right
 * @param binCount about how many bins
 * @returns the bins in rising order of scores
 * @example calibrationOf([{ score: 0.9, isRight: true }], 15).expectedError; // 0.1
 */
export function calibrationOf(
  judged: readonly { readonly score: number; readonly isRight: boolean }[],
  binCount: number,
): Calibration {
  const sorted = judged.toSorted((a, b) => a.score - b.score);
  const size = sorted.length / binCount;
  const bins: CalibrationBin[] = [];
  let from = 0;
  while (from < sorted.length) {
    let to = Math.max(from + 1, Math.round((bins.length + 1) * size));
    while (to < sorted.length && sorted[to]!.score === sorted[to - 1]!.score) to++;
    const members = sorted.slice(from, to);
    const right = shareInterval(
      members.map(({ isRight }) => (isRight ? 1 : 0)),
      new Uint8Array(members.length).fill(1),
    )!;
    const meanScore = members.reduce((sum, { score }) => sum + score, 0) / members.length;
    bins.push({ count: members.length, meanScore, right });
    from = to;
  }
  const gap = bins.reduce((sum, { count, meanScore, right }) => sum + count * Math.abs(meanScore - right.value), 0);
  return { expectedError: sorted.length === 0 ? null : gap / sorted.length, bins };
}
