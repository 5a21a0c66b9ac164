import type { Head } from '../family.ts';
import { cornersOfCorners } from './boxes.ts';
import type { GridRow } from './grid.ts';

/** Where in its cell a box's distances are measured from: 0.5 is the middle, 0 the corner. */
export type CellOffset = 0 | 0.5;

/** Distances left, top, right, bottom [T,4], in strides, from the points of the grid's rows at `index` → corners [T,4] as shares, within the picture. */
export function cornersOfDistances(
  head: Head,
  distances: string,
  index: string,
  rows: readonly GridRow[],
  offset: CellOffset,
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
  const { widthPx, heightPx } = size;
  const within = build.add('Max', [
    build.add('Min', [corners, build.floats([4], [widthPx, heightPx, widthPx, heightPx])]),
    build.floats([], [0]),
  ]);
  return cornersOfCorners(head, within, 'pixels');
}
