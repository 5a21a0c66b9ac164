import type { Head } from '../structure/family.ts';

export type BoxUnit = 'pixels' | 'proportional';

/** [T,4] centre x, centre y, width, height → ymin, xmin, ymax, xmax, proportional to the input. */
export function cornersOfCentres(head: Head, boxes: string, unit: BoxUnit): string {
  const [width, height] = extent(head, unit);
  // One product instead of slices, sums and a concatenation.
  const corners = [
    [0, 1 / width, 0, 1 / width],
    [1 / height, 0, 1 / height, 0],
    [0, -0.5 / width, 0, 0.5 / width],
    [-0.5 / height, 0, 0.5 / height, 0],
  ];
  return head.build.add('MatMul', [boxes, head.build.floats([4, 4], corners.flat())]);
}

/** [T,4] xmin, ymin, xmax, ymax → ymin, xmin, ymax, xmax, proportional to the input. */
export function cornersOfCorners(head: Head, boxes: string, unit: BoxUnit): string {
  const { build } = head;
  const [width, height] = extent(head, unit);
  const ordered = build.add('Gather', [boxes, build.ints([4], [1, 0, 3, 2])], { axis: { int: 1 } });
  if (unit === 'proportional') return ordered;
  return build.add('Div', [ordered, build.floats([4], [height, width, height, width])]);
}

function extent({ size }: Head, unit: BoxUnit): [number, number] {
  return unit === 'pixels' ? [size.widthPx, size.heightPx] : [1, 1];
}
