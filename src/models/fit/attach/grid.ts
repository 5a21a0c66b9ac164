import type { InputSize } from '../structure/input-size.ts';

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

export interface GridRow {
  /** in cells, from the left and the top */
  readonly x: number;
  readonly y: number;
  readonly stride: number;
}

/** The cells row by row, grid by grid, each as often as it has boxes. */
export function gridRows({ widthPx, heightPx }: InputSize, strides: readonly number[], anchors = 1): GridRow[] {
  return strides.flatMap((stride) => {
    const columns = Math.ceil(widthPx / stride);
    const rows = anchors * columns * Math.ceil(heightPx / stride);
    return Array.from({ length: rows }, (_, row) => {
      const cell = Math.floor(row / anchors);
      return { x: cell % columns, y: Math.floor(cell / columns), stride };
    });
  });
}
