import type { Detections, Head } from '../family.ts';
import type { Candidates } from './candidates.ts';
import { fixedRows } from './fixed-rows.ts';
import { suppress } from './suppress.ts';

/** The usual end of a raw head: suppression class by class, then the fixed rows. `boxes` are those of the candidates, [T,4] corners. */
export function suppressed(head: Head, candidates: Candidates, boxes: string, classCount: number): Detections {
  return fixedRows(head, suppress(head, { ...candidates, boxes }, classCount));
}
