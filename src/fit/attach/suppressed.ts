import type { Detections, Head } from '../family.ts';
import { bestRows, type Candidates } from './candidates.ts';

/** The usual end of a raw head: suppression class by class, then the fixed rows. `boxes` are those of the candidates, [T,4] corners. */
export function suppressed(head: Head, candidates: Candidates, boxes: string, classCount: number): Detections {
  return head.ends.suppress(head, { ...candidates, boxes }, classCount);
}

export interface ClassGrid {
  /** [1, N, C] */
  readonly scores: string;
  /** C */
  readonly classCount: number;
}

/** The end of a head whose boxes count for every class: `boxesOf` decodes the boxes of some of its rows ([T] int64) to corners [T,4]. */
export function everyClassSuppressed(
  head: Head,
  { scores, classCount }: ClassGrid,
  boxesOf: (index: string) => string,
): Detections {
  const best = bestRows(head, { scores, classAxis: 2, objectness: null });
  return head.ends.suppressEveryClass(head, boxesOf(best.index), best.classScores, classCount);
}
