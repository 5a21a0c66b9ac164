import { type Point, type TracedStage, traceToSource } from '../../../machine/vision/face/traces.ts';

/**
 * Where a point of the source lies on a later picture. Every step moves points by an affine map, so three traced points
 * give the whole way, and its inverse the way on.
 * @param stages the source first, the later picture last
 */
export function placeOnPicture(stages: readonly TracedStage[]): (point: Point) => Point {
  const [origin, right, , below] = traceToSource({ xMin: 0, yMin: 0, xMax: 1, yMax: 1 }, stages);
  const [a, b, c, d] = [right.x - origin.x, below.x - origin.x, right.y - origin.y, below.y - origin.y];
  const determinant = a * d - b * c;
  return ({ x, y }) => {
    const [dx, dy] = [x - origin.x, y - origin.y];
    return { x: (d * dx - b * dy) / determinant, y: (a * dy - c * dx) / determinant };
  };
}
