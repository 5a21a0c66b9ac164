import type { DatasetBox } from '../item/dataset-item.ts';
import type { Orientation } from './exif-orientation.ts';

type Point = readonly [x: number, y: number];

/** Maps a point of the stored picture to the upright one, for each orientation (EXIF 2.32 §4.6.4). */
const upright: Readonly<Record<Orientation, (x: number, y: number) => Point>> = {
  1: (x, y) => [x, y],
  2: (x, y) => [1 - x, y],
  3: (x, y) => [1 - x, 1 - y],
  4: (x, y) => [x, 1 - y],
  5: (x, y) => [y, x],
  6: (x, y) => [1 - y, x],
  7: (x, y) => [1 - y, 1 - x],
  8: (x, y) => [y, 1 - x],
};

/** Converts a box from the stored picture, which the machine uses, to the upright picture, which datasets use. */
export function uprightBox(box: DatasetBox, orientation: Orientation): DatasetBox {
  const [x0, y0] = upright[orientation](box.xMinNormalized, box.yMinNormalized);
  const [x1, y1] = upright[orientation](box.xMaxNormalized, box.yMaxNormalized);
  return {
    ...box,
    xMinNormalized: Math.min(x0, x1),
    yMinNormalized: Math.min(y0, y1),
    xMaxNormalized: Math.max(x0, x1),
    yMaxNormalized: Math.max(y0, y1),
  };
}

/** The inverse of each orientation: mirrorings are their own inverse, the two quarter turns are each other's. */
const inverse: Readonly<Record<Orientation, Orientation>> = { 1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 8, 7: 7, 8: 6 };

/** Converts a box from the upright picture to the stored one, which the machine and the data service use. */
export function storedBox(box: DatasetBox, orientation: Orientation): DatasetBox {
  return uprightBox(box, inverse[orientation]);
}
