import { boxOverlap } from '../../evidence/evaluation/face/matches.ts';
import type { DrawnBoxes } from './drawn-boxes.ts';

/** Boxes of one label on one image. */
export interface RowsOfLabel extends Pick<DrawnBoxes, 'corners'> {
  readonly rows: readonly number[];
}

/** Boxes that are equal up to rounding meet every threshold, as in `matchBoxes`. */
const almostOne = 1 - 1e-10;
/** How far the sum of some fractions may be off. */
const rounding = 1e-6;
/** After so many pairs the work is counted. */
const pairsAtOnce = 100_000;

/**
 * Matches boxes as `matchBoxes` does where all scores are equal: each of `b`, in turn, with the one of `a` that is still free and
 * overlaps it most; of equal ones the last. Only boxes that lie near enough side by side to overlap so much are compared.
 * @param a boxes of one label on one image
 * @param b boxes of the same label on the same image
 * @param iou smallest intersection over union of a match, in (0, 1]
 * @param worked called with the number of pairs that were compared since its last call
 * @returns how many of them match
 */
export async function matchInTurns(
  a: RowsOfLabel,
  b: RowsOfLabel,
  iou: number,
  worked: (pairs: number) => Promise<void>,
): Promise<number> {
  const needed = Math.min(iou, almostOne);
  const byLeft = Uint32Array.from(a.rows).sort((one, other) => a.corners[4 * one]! - a.corners[4 * other]!);
  const lefts = Float64Array.from(byLeft, (row) => a.corners[4 * row]!);
  const taken = new Uint8Array(byLeft.length);
  let [matched, pairs] = [0, 0];
  for (const row of b.rows) {
    const [left, width] = [b.corners[4 * row]!, b.corners[4 * row + 2]!];
    // a match shares at least `needed` of the width of either, so neither is wider than the other divided by `needed`
    const end = firstFrom(lefts, left + (1 - needed) * width + rounding);
    let at = firstFrom(lefts, left + needed * width - width / needed - rounding);
    let [best, found] = [needed, -1];
    pairs += Math.max(0, end - at);
    for (; at < end; at++) {
      if (taken[at] === 1) continue;
      const overlap = boxOverlap(b.corners, row, a.corners, byLeft[at]!, false);
      if (overlap < best || (overlap === best && found >= 0 && byLeft[at]! < byLeft[found]!)) continue;
      best = overlap;
      found = at;
    }
    if (found >= 0) {
      taken[found] = 1;
      matched++;
    }
    if (pairs >= pairsAtOnce) {
      await worked(pairs);
      pairs = 0;
    }
  }
  await worked(pairs);
  return matched;
}

/** Where the first of the ascending values is that is at least `least`. */
function firstFrom(values: Float64Array, least: number): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle]! < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
