import type { DatasetBox, SizePx } from '../dataset-item.ts';

export type BoxFault =
  | 'outside' // a corner beyond the picture
  | 'degenerate' // no number, corners in the wrong order, or no area
  | 'tiny'; // thinner than a pixel, which no detector finds

/** What is wrong with a box; null when nothing is. Tiny is told only where the picture's size is known. */
export function faultOf(box: DatasetBox, sizePx: SizePx | null): BoxFault | null {
  const { xMinNormalized: xMin, yMinNormalized: yMin, xMaxNormalized: xMax, yMaxNormalized: yMax } = box;
  if (!(xMax > xMin && yMax > yMin)) return 'degenerate';
  if (xMin < 0 || yMin < 0 || xMax > 1 || yMax > 1) return 'outside';
  const isTiny = sizePx !== null && Math.min((xMax - xMin) * sizePx.widthPx, (yMax - yMin) * sizePx.heightPx) < 1;
  return isTiny ? 'tiny' : null;
}
