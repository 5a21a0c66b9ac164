import type { Estimate } from '../intervals/ratio-interval.ts';

const fewestImages = 8;
/** The interval is looked at again whenever the corrected images have grown by one part in so many. */
const looksPerImages = 20;

/**
 * States F1 for a person who stops correcting as soon as its interval is as narrow as wished. An interval often looks
 * narrow enough when the images so far are alike by chance, and then it covers F1 less often than its level says. The
 * stated interval is therefore at least as wide as was wished, whatever the images showed (Chow and Robbins, On the
 * asymptotic theory of fixed-width sequential confidence intervals for the mean, 1965), and the width is looked at only
 * whenever the corrected images have grown by a twentieth.
 *
 * @param after F1 with its interval after so many corrections; null: nothing is known then
 * @param count how many images are corrected
 * @param total how many images there are: where all are corrected, F1 is exact and its interval has no width
 * @param width wished for, of the whole interval, above 0 and at most 1
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
