import { reshape, slice } from '../../onnx/face/graphs.ts';
import { detailNames } from '../../../machine/vision/face/results.ts';
import type { Detections, Further, Head } from '../structure/family.ts';
import type { BoxUnit } from './boxes.ts';

/** An output of a fitted model beside those that the machine reads. */
export interface DetailOutput {
  readonly name: string;
  readonly tensor: string;
  readonly shape: readonly number[];
}

/**
 * Key points [T, points · numbers] of x, y and maybe how sure each is, from 0 to 1 → all three, x and y proportional to the input. One
 * that says nothing of it is sure.
 */
export function keyPointsOf(
  { build, size }: Pick<Head, 'build' | 'size'>,
  points: string,
  numbers: { readonly each: number; readonly points: number },
  unit: BoxUnit,
): Further {
  const [width, height] = unit === 'pixels' ? [size.widthPx, size.heightPx] : [1, 1];
  const [from, to] = [numbers.each * numbers.points, 3 * numbers.points];
  const factors = new Float32Array(from * to);
  for (let point = 0; point < numbers.points; point++)
    [1 / width, 1 / height, 1].slice(0, numbers.each).forEach((factor, k) => {
      factors[(numbers.each * point + k) * to + 3 * point + k] = factor;
    });
  const placed = build.add('MatMul', [points, build.floats([from, to], factors)]);
  if (numbers.each === 3) return { numbers: placed, count: to };
  const sure = Array.from({ length: to }, (_, k) => (k % 3 === 2 ? 1 : 0));
  return { numbers: build.add('Add', [placed, build.floats([to], sure)]), count: to };
}

/**
 * The outputs that the bench draws from. `ontoFrame` puts boxes [1,K,4] of the input into proportions of the frame; null: the input is
 * the frame, stretched.
 */
export function detailOutputs(
  { build }: Pick<Head, 'build'>,
  { further, details }: Detections,
  rows: number,
  ontoFrame: ((boxes: string) => string) | null,
): readonly DetailOutput[] {
  if (!further || !details) return [];
  if (details.kind === 'key points') {
    const shape = [1, rows, details.count, 3];
    const points = reshape(build, further, [rows * details.count, 3]);
    const placed = ontoFrame ? pointsOntoFrame(build, points, rows * details.count, ontoFrame) : points;
    return [{ name: detailNames.keyPoints, tensor: reshape(build, placed, shape), shape }];
  }
  const weights = [1, rows, details.shape[1]!];
  const whole = ontoFrame && ontoFrame(build.floats([1, 1, 4], [0, 0, 1, 1]));
  return [
    { name: detailNames.maskWeights, tensor: reshape(build, further, weights), shape: weights },
    { name: detailNames.maskPrototypes, tensor: details.prototypes, shape: details.shape },
    ...(whole ? [{ name: detailNames.maskPlace, tensor: reshape(build, whole, [1, 4]), shape: [1, 4] }] : []),
  ];
}

/** A point is moved as a box without area. */
function pointsOntoFrame(
  build: Head['build'],
  points: string,
  count: number,
  ontoFrame: (boxes: string) => string,
): string {
  const alongColumns = { axis: { int: 1 } };
  const boxes = build.add('Gather', [points, build.ints([4], [1, 0, 1, 0])], alongColumns);
  const moved = reshape(build, ontoFrame(reshape(build, boxes, [1, count, 4])), [count, 4]);
  const places = build.add('Gather', [moved, build.ints([2], [1, 0])], alongColumns);
  return build.add('Concat', [places, slice(build, points, 1, 2, 3)], alongColumns);
}
