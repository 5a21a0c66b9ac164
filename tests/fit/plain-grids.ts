import { softmax, type PlainDetection, type PlainLimits } from './plain-detections.ts';
import { everyClassPlainly } from './plain-ssd.ts';

export interface PlainGrids {
  readonly strides: readonly number[];
  /** boxes per cell */
  readonly anchors: number;
  /** offset in the cell of the point from which boxes are measured */
  readonly offset: number;
}

/** The cells of all grids in order, each repeated for its boxes. */
export function plainCells({ strides, anchors }: PlainGrids, widthPx: number, heightPx: number) {
  const cells: { column: number; row: number; stride: number }[] = [];
  for (const stride of strides)
    for (let row = 0; row * stride < heightPx; row++)
      for (let column = 0; column * stride < widthPx; column++)
        for (let box = 0; box < anchors; box++) cells.push({ column, row, stride });
  return cells;
}

/** Decodes distances (left, top, right, bottom, in strides) from a point of the cell; optionally clipped to the picture. */
export function distancesPlainly(
  distances: readonly (readonly number[])[],
  grids: PlainGrids,
  { widthPx, heightPx }: Pick<PlainLimits, 'widthPx' | 'heightPx'>,
  isClipped: boolean,
): [number, number, number, number][] {
  const clamp = (value: number, most: number) => (isClipped ? Math.min(Math.max(value, 0), most) : value);
  return plainCells(grids, widthPx, heightPx).map(({ column, row, stride }, cell) => {
    const [left, top, right, bottom] = distances[cell]!.map((distance) => distance * stride);
    const x = (column + grids.offset) * stride;
    const y = (row + grids.offset) * stride;
    return [
      clamp(x - left!, widthPx),
      clamp(y - top!, heightPx),
      clamp(x + right!, widthPx),
      clamp(y + bottom!, heightPx),
    ];
  });
}

/** Decodes scores [N][C] and distances [N][4·bins], where each quarter is a distribution over one distance. */
export function distributionsPlainly(
  scores: readonly number[],
  distributions: readonly number[],
  classes: number,
  grids: PlainGrids,
  limits: PlainLimits,
): PlainDetection[] {
  const count = scores.length / classes;
  const bins = distributions.length / count / 4;
  const distances = Array.from({ length: count }, (_, row) =>
    [0, 1, 2, 3].map((side) => {
      const from = (4 * row + side) * bins;
      return softmax(distributions.slice(from, from + bins)).reduce((sum, weight, bin) => sum + weight * bin, 0);
    }),
  );
  const boxes = distancesPlainly(distances, grids, limits, true);
  return everyClassPlainly(
    boxes.map((corners, row) => ({ corners, scores: scores.slice(classes * row, classes * (row + 1)) })),
    limits,
  );
}
