import { type DrawingArea, linePath } from '../../../evidence/evaluation/face/report.ts';

/** What an interval holds at one place of a plot; all from 0 to 1. */
export interface BandPoint {
  readonly x: number;
  readonly low: number;
  readonly high: number;
}

/**
 * An SVG path around intervals, a closed one for each stretch of them.
 * @param points from left to right; null: nothing is known there, so that nothing is drawn
 */
export function bandPath(points: readonly (BandPoint | null)[], area: DrawingArea): string {
  const stretches: BandPoint[][] = [[]];
  for (const point of points) {
    if (point) stretches.at(-1)!.push(point);
    else stretches.push([]);
  }
  return stretches
    .filter(({ length }) => length > 0)
    .map((known) => {
      const [above, below] = [known, known.toReversed()];
      const edge = [...above.map(({ x, high }) => [x, high] as const), ...below.map(({ x, low }) => [x, low] as const)];
      return `${linePath(edge, area)}Z`;
    })
    .join('');
}
