import type { BoxRows } from './box-rows.ts';

/** How much two boxes share, 0..1: the area of their overlap by that of their union. */
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
 * The rows that remain of those above a score when each takes away the ones that it covers, best first: what a model
 * saw, whether or not it suppresses by itself. Only for judging: the machine suppresses nothing.
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
