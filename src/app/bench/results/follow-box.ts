import type { RawDetections } from '../../../machine/vision/face/results.ts';

const LEAST_OVERLAP = 0.3;

/**
 * Finds the row of a later frame with the same object as `row`: the same label, and the box that overlaps most
 * (intersection over union of at least 0.3). null: there is none.
 */
export function followBox(before: RawDetections, row: number, after: RawDetections): number | null {
  const label = before.labels[before.labelIndex[row]!];
  let best: number | null = null;
  let most = LEAST_OVERLAP;
  for (let candidate = 0; candidate < after.count; candidate++) {
    if (after.labels[after.labelIndex[candidate]!] !== label) continue;
    const overlap = overlapOf(before.box, row, after.box, candidate);
    if (overlap < most || (overlap === most && best !== null)) continue;
    most = overlap;
    best = candidate;
  }
  return best;
}

/** Intersection over union; edges count as covered, so that a box without area overlaps itself fully. */
function overlapOf(a: Int32Array, rowA: number, b: Int32Array, rowB: number): number {
  const [ax, ay, aX, aY] = a.subarray(4 * rowA, 4 * rowA + 4) as unknown as [number, number, number, number];
  const [bx, by, bX, bY] = b.subarray(4 * rowB, 4 * rowB + 4) as unknown as [number, number, number, number];
  const width = Math.min(aX, bX) - Math.max(ax, bx) + 1;
  const height = Math.min(aY, bY) - Math.max(ay, by) + 1;
  if (width <= 0 || height <= 0) return 0;
  const shared = width * height;
  return shared / ((aX - ax + 1) * (aY - ay + 1) + (bX - bx + 1) * (bY - by + 1) - shared);
}
