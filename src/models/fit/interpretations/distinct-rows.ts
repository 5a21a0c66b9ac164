import type { BoxRows } from './box-rows.ts';

/**
 * Computes the intersection over union of two boxes.
 * @param a numbers that hold a box as xMin, yMin, xMax, yMax
 * @param b numbers that hold the other box
 * @param atA where the box begins in `a`
 * @param atB where the box begins in `b`
 * @returns 0..1
 * @example
 * overlap([0, 0, 2, 2], [1, 0, 3, 2]); // => 2 / 6
 */
export function overlap(a: ArrayLike<number>, b: ArrayLike<number>, atA = 0, atB = 0): number {
  const width = Math.min(a[atA + 2]!, b[atB + 2]!) - Math.max(a[atA]!, b[atB]!);
  const height = Math.min(a[atA + 3]!, b[atB + 3]!) - Math.max(a[atA + 1]!, b[atB + 1]!);
  if (width <= 0 || height <= 0) return 0;
  const shared = width * height;
  return shared / (area(a, atA) + area(b, atB) - shared);
}

function area(box: ArrayLike<number>, at: number): number {
  return (box[at + 2]! - box[at]!) * (box[at + 3]! - box[at + 1]!);
}

/**
 * Suppresses boxes that a better one covers by half or more, for judging only: the machine suppresses nothing.
 * @param rows boxes of a frame
 * @param leastScore rows below it are left out
 * @param most how many rows to return at most
 * @returns numbers of rows, best score first
 * @example
 * const rows = { count: 3, score: [0.5, 0.9, 0.1], box: [0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1] };
 * distinctRows(rows, 0.2); // => [1]
 */
export function distinctRows({ count, score, box }: BoxRows, leastScore: number, most = 100): number[] {
  const order = [];
  for (let row = 0; row < count; row++) if (score[row]! >= leastScore) order.push(row);
  order.sort((a, b) => score[b]! - score[a]!);
  const kept: number[] = [];
  for (const row of order.slice(0, mostLookedAt)) {
    if (kept.length >= most) break;
    if (kept.every((other) => overlap(box, box, 4 * row, 4 * other) < 0.5)) kept.push(row);
  }
  return kept;
}

const mostLookedAt = 1000;
