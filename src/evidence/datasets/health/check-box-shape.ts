import type { DatasetBox, SizePx } from '../item/dataset-item.ts';

export type BoxFault =
  | 'outside' // a corner lies outside the picture
  | 'degenerate' // a corner is not a number, corners are in the wrong order, or the area is 0
  | 'tiny'; // a side is shorter than a pixel, so no detector can find it

/** The fault of a box; null if it has none. Tiny boxes are found only if the picture's size is known. */
export function faultOf(box: DatasetBox, sizePx: SizePx | null): BoxFault | null {
  const { xMinNormalized: xMin, yMinNormalized: yMin, xMaxNormalized: xMax, yMaxNormalized: yMax } = box;
  if (!(xMax > xMin && yMax > yMin)) return 'degenerate';
  if (xMin < 0 || yMin < 0 || xMax > 1 || yMax > 1) return 'outside';
  const isTiny = sizePx !== null && Math.min((xMax - xMin) * sizePx.widthPx, (yMax - yMin) * sizePx.heightPx) < 1;
  return isTiny ? 'tiny' : null;
}
