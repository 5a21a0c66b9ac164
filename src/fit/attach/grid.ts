import type { InputSize } from '../input-size.ts';

/** Cells of the grids that a picture is divided into, one grid a stride. */
export function gridCells({ widthPx, heightPx }: InputSize, strides: readonly number[]): number {
  return strides.reduce((sum, stride) => sum + Math.ceil(heightPx / stride) * Math.ceil(widthPx / stride), 0);
}

/** Sets of strides that detectors use, the usual first. */
const strideSets: readonly (readonly number[])[] = [
  [8, 16, 32],
  [8, 16, 32, 64],
  [16, 32],
  [4, 8, 16, 32],
];

/** The strides whose grids have `candidates` cells of `anchors` boxes; null if none have. */
export function stridesOf(size: InputSize, candidates: number, anchors: number): readonly number[] | null {
  if (size.widthPx < 1 || size.heightPx < 1) return null;
  return strideSets.find((strides) => anchors * gridCells(size, strides) === candidates) ?? null;
}
