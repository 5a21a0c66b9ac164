/** Where a drawing lies, in its own units. */
export interface DrawingArea {
  readonly width: number;
  readonly height: number;
  /** default: 0 */
  readonly left?: number;
  readonly top?: number;
}

/**
 * An SVG path through points whose coordinates go from 0 to 1, y upwards.
 *
 * @param points in the order of drawing; null interrupts the line
 * @param area that the coordinates span
 * @returns the path's `d`
 * @example
 * linePath([[0, 0], [0.5, 1], null, [1, 1]], { width: 100, height: 50 }); // => 'M0.0 50.0L50.0 0.0M100.0 0.0'
 */
export function linePath(
  points: readonly (readonly [x: number, y: number] | null)[],
  { width, height, left = 0, top = 0 }: DrawingArea,
): string {
  let path = '';
  let isDrawing = false;
  for (const point of points) {
    if (point)
      path += `${isDrawing ? 'L' : 'M'}${text(left + point[0] * width)} ${text(top + (1 - point[1]) * height)}`;
    isDrawing = point !== null;
  }
  return path;
}

const text = (value: number): string => value.toFixed(1);
