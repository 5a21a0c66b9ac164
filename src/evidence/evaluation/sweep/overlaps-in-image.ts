import type { BoxColumns, DetectionSet, TruthSet } from '../evaluation.ts';
import { boxOverlap } from '../match/box-overlap.ts';

/** Rows by image number. */
export function rowsByImage(columns: BoxColumns, rows: Iterable<number>): Map<number, number[]> {
  const byImage = new Map<number, number[]>();
  for (const row of rows) {
    const image = columns.image[row]!;
    const others = byImage.get(image);
    if (others) others.push(row);
    else byImage.set(image, [row]);
  }
  return byImage;
}

/** The candidate that a result overlaps most, with the overlap; row -1 where it overlaps none. */
export function bestOverlap(
  detections: DetectionSet,
  row: number,
  truth: TruthSet,
  candidates: readonly number[],
  isWanted: (truthRow: number) => boolean,
): { readonly row: number; readonly overlap: number } {
  let best = { row: -1, overlap: 0 };
  for (const candidate of candidates) {
    if (!isWanted(candidate)) continue;
    const overlap = boxOverlap(detections.box, row, truth.box, candidate, truth.crowd[candidate] === 1);
    if (overlap > best.overlap) best = { row: candidate, overlap };
  }
  return best;
}
