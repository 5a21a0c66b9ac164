import type { Estimate } from '../intervals/ratio-interval.ts';

const fewestImages = 8;
/** The interval is looked at whenever one part in so many was added. */
const looksPerImages = 20;

/**
 * Says what holds of F1 for whoever stops correcting once its interval is as narrow as wished. The moment at which an
 * interval looks narrow enough tends to be one at which the images are alike by chance, so that the narrow one covers
 * less often than it says. What is stated is therefore at least as wide as was wished, whatever the images showed
 * (Chow and Robbins, On the asymptotic theory of fixed-width sequential confidence intervals for the mean, 1965), and
 * it is looked at in steps of a twentieth.
 *
 * @param after F1 with its interval after so many corrections; null: nothing is known then
 * @param count how many images are corrected
 * @param total how many there are: nothing is left to chance where all are corrected
 * @param width that is wished for, above 0
 * @returns F1 with an interval that holds its level; null: it was not narrow enough yet
 * @example
 * const after = (count) => ({ value: 0.5, low: 0.5 - 1 / count, high: 0.5 + 1 / count });
 * const stated = [9, 12].map((count) => stoppedEstimate(after, count, 40, 0.2));
 * [stated[0], stated[1].low.toFixed(2), stated[1].high.toFixed(2)]; // => [null, '0.40', '0.60']
 */
export function stoppedEstimate(
  after: (count: number) => Estimate | null,
  count: number,
  total: number,
  width: number,
): Estimate | null {
  if (count >= total) return after(count);
  for (let look = fewestImages; look <= count; look += Math.max(1, Math.floor(look / looksPerImages))) {
    const seen = after(look);
    if (!seen || seen.high - seen.low > width) continue;
    const now = after(count);
    return now && atLeastAsWide(now, width);
  }
  return null;
}

function atLeastAsWide({ value, low, high }: Estimate, width: number): Estimate {
  if (high - low >= width) return { value, low, high };
  const wider = width / (high - low);
  return { value, low: Math.max(0, value - (value - low) * wider), high: Math.min(1, value + (high - value) * wider) };
}
