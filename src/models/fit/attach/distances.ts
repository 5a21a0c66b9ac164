import type { Head } from '../structure/family.ts';
import { cornersOfCorners } from './boxes.ts';
import type { GridRow } from './grid.ts';

export interface DistanceGrid {
  readonly rows: readonly GridRow[];
  /** where in its cell a box's distances are measured from: 0.5 is the middle, 0 the corner */
  readonly offset: 0 | 0.5;
  /** whether boxes are kept within the picture before suppression, which changes how much they overlap */
  readonly isClipped: boolean;
}

/** Distances left, top, right, bottom [T,4], in strides, from the points of the grid's rows at `index` → corners [T,4] as shares. */
export function cornersOfDistances(
  head: Head,
  distances: string,
  index: string,
  { rows, offset, isClipped }: DistanceGrid,
): string {
  const { build, size } = head;
  const ofIndex = (columns: number, values: readonly number[]) =>
    build.add('Gather', [build.floats([rows.length, columns], values), index], { axis: { int: 0 } });
  const points = ofIndex(
    4,
    rows.flatMap(({ x, y, stride }) => [x, y, x, y].map((cell) => (cell + offset) * stride)),
  );
  const strides = ofIndex(
    1,
    rows.map(({ stride }) => stride),
  );
  const outwards = build.add('Mul', [strides, build.floats([4], [-1, -1, 1, 1])]);
  const corners = build.add('Add', [points, build.add('Mul', [distances, outwards])]);
  if (!isClipped) return cornersOfCorners(head, corners, 'pixels');
  const { widthPx, heightPx } = size;
  const within = build.add('Max', [
    build.add('Min', [corners, build.floats([4], [widthPx, heightPx, widthPx, heightPx])]),
    build.floats([], [0]),
  ]);
  return cornersOfCorners(head, within, 'pixels');
}
