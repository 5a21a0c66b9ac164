import type { Estimate } from '../intervals/ratio-interval.ts';

/** So many images more are corrected once the interval is as narrow as wished. */
export const imagesAfterwards = 4;
const fewestImages = 8;
/** The interval is looked at when one part in so many was added. */
const looksPerImages = 20;

/**
 * Says when to stop correcting: whoever stops the very moment at which an interval looks narrow enough tends to stop
 * where its images are alike by chance, and so it covers less often than it says. Some images more, as many whatever
 * they show, undo that (Simons, On the cost of not knowing the variance when making a fixed-width confidence interval
 * for the mean, 1968). Looking seldom helps, too.
 *
 * @param after F1 with its interval after so many corrections; null: nothing is known then
 * @param corrected how many images are corrected, of how many in all
 * @param width that is wished for
 * @returns how many more are to be corrected, 0 or more; null: the interval was not narrow enough yet
 * @example
 * const after = (count) => ({ value: 0.5, low: 0.5 - 1 / count, high: 0.5 + 1 / count });
 * [9, 11, 30].map((count) => whenToStop(after, { count, total: 40 }, 0.2)); // => [null, 3, 0]
 */
export function whenToStop(
  after: (count: number) => Estimate | null,
  { count, total }: { readonly count: number; readonly total: number },
  width: number,
): number | null {
  for (let look = fewestImages; look <= count; look += Math.max(1, Math.floor(look / looksPerImages))) {
    const estimate = after(look);
    if (estimate && estimate.high - estimate.low <= width) return Math.max(0, Math.min(total, look + imagesAfterwards) - count);
  }
  return null;
}
