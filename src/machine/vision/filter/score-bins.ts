/** How many bins the histogram under a threshold slider has. */
export const scoreBinCount = 50;

/**
 * @param score of a result; what lies outside 0..1 is in the end bins, and NaN is in none
 * @param bins a histogram of scores; bins[i] counts those in [i, i+1)/bins.length
 * @param sign 1 counts the score, -1 takes it away again
 * @returns whether the score was counted
 * @example
 * const bins = new Uint32Array(2);
 * countScore(0.7, bins); // => true
 * [...bins]; // => [0, 1]
 */
export function countScore(score: number, bins: Uint32Array, sign: 1 | -1 = 1): boolean {
  if (Number.isNaN(score)) return false;
  const bin = Math.max(0, Math.min(bins.length - 1, Math.floor(score * bins.length)));
  bins[bin] = bins[bin]! + sign;
  return true;
}

/**
 * Counts the scores of each label, for the histogram under its threshold slider.
 *
 * @param rows results as columns, the first `count` of them; `labelIndex` is below `labelCount`
 * @param labelCount how many labels there are
 * @returns a histogram a label, by label index
 * @example
 * const rows = { count: 2, labelIndex: Uint32Array.of(1, 1), score: Float64Array.of(0.99, 0.5) };
 * const [none, cat] = binScores(rows, 2);
 * [none[49], cat[49], cat[25]]; // => [0, 1, 1]
 */
export function binScores(
  { count, labelIndex, score }: { readonly count: number } & Record<'labelIndex' | 'score', ArrayLike<number>>,
  labelCount: number,
): readonly Uint32Array[] {
  const binsOf = Array.from({ length: labelCount }, () => new Uint32Array(scoreBinCount));
  for (let row = 0; row < count; row++) countScore(score[row]!, binsOf[labelIndex[row]!]!);
  return binsOf;
}

/**
 * @param histograms with `scoreBinCount` bins each
 * @returns all of them together
 * @example sumBins([Uint32Array.of(1, 2), Uint32Array.of(0, 3)])[1]; // => 5
 */
export function sumBins(histograms: readonly Uint32Array[]): Uint32Array {
  const sum = new Uint32Array(scoreBinCount);
  for (const bins of histograms) bins.forEach((counted, bin) => (sum[bin]! += counted));
  return sum;
}
