import type { Detections, Further, Head } from '../structure/family.ts';
import { keyPointsOption } from '../structure/options.ts';
import type { BoxUnit } from './boxes.ts';
import { keyPointsOf } from './details.ts';
import { bestRows, type Candidates } from './candidates.ts';

/** The usual end of a raw head: suppression class by class, then the fixed rows. `boxes` are those of the candidates, [T,4] corners. */
export function suppressed(
  head: Head,
  candidates: Candidates,
  boxes: string,
  classCount: number,
  further?: Further,
): Detections {
  return head.ends.suppress(head, { ...candidates, boxes, further }, classCount);
}

export interface ClassGrid {
  /** [1, N, C] */
  readonly scores: string;
  /** C */
  readonly classCount: number;
}

/**
 * The end of a head whose boxes count for every class: `boxesOf` decodes the boxes of some of its rows ([T] int64) to corners [T,4],
 * `furtherOf` what else is kept of them.
 */
export function everyClassSuppressed(
  head: Head,
  { scores, classCount }: ClassGrid,
  boxesOf: (index: string) => string,
  furtherOf?: (index: string) => Further | undefined,
): Detections {
  const best = bestRows(head, { scores, classAxis: 2, objectness: null });
  return head.ends.suppressEveryClass(head, boxesOf(best.index), best.classScores, classCount, furtherOf?.(best.index));
}

/** Key points of a head's rows. */
export interface HeadPoints {
  readonly count: number;
  readonly unit: BoxUnit;
  /** decodes those of some rows ([T] int64) to x and y [T,2·count] */
  readonly pointsOf: (index: string) => string;
}

/** Keeps the key points of a head's rows, where the option says so; `suppressedWith` makes the end. */
export function withKeyPoints(
  head: Head,
  { count, unit, pointsOf }: HeadPoints,
  suppressedWith: (furtherOf?: (index: string) => Further) => Detections,
): Detections {
  if (head.choice(keyPointsOption.key) !== 'keep') return suppressedWith();
  const furtherOf = (index: string) => keyPointsOf(head, pointsOf(index), { each: 2, points: count }, unit);
  return { ...suppressedWith(furtherOf), details: { kind: 'key points', count } };
}
