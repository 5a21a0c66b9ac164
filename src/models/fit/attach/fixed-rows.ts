import { reshape } from '../../onnx/face/graphs.ts';
import type { Detections, Further, Head } from '../structure/family.ts';

/** Detections in any number and order. */
export interface Rows {
  /** [M,4] ymin, xmin, ymax, xmax, proportional to the input */
  readonly boxes: string;
  /** [M] float32 */
  readonly category: string;
  /** [M] */
  readonly score: string;
  /** further numbers of the same M */
  readonly further?: Further | undefined;
}

/**
 * Exactly `maxDetections` rows, best first, the first of equals first. The machine crashes on a model that returns no boxes at all, so rows of
 * zeros stand where there is nothing: a box without area at the corner, category 0, score 0, which any
 * `default_minimum_confidence` above 0 hides. Rows at or below `scoreThreshold` become such rows, too.
 */
export function fixedRows(head: Head, { boxes, category, score, further }: Rows): Detections {
  const { build } = head;
  const rows = head.number('maxDetections');
  const alongRows = { axis: { int: 0 } };
  const padded = (tensor: string, ...rest: number[]) =>
    build.add(
      'Concat',
      [tensor, build.floats([rows, ...rest], new Float32Array(rest.reduce((a, b) => a * b, rows)))],
      alongRows,
    );
  const isKept = build.add('Greater', [padded(score), build.floats([], [head.number('scoreThreshold')])]);
  const scores = build.add('Where', [isKept, padded(score), build.floats([], [0])]);
  const [best, index] = build.addMany('TopK', [scores, build.ints([1], [rows])], 2, alongRows) as [string, string];
  const isRow = build.add('Greater', [best, build.floats([], [0])]);
  const ofBest = (tensor: string) => build.add('Gather', [tensor, index], alongRows);
  const orZero = (tensor: string, isShown: string) => build.add('Where', [isShown, tensor, build.floats([], [0])]);
  return {
    kind: 'detections',
    location: reshape(build, orZero(ofBest(padded(boxes, 4)), reshape(build, isRow, [rows, 1])), [1, rows, 4]),
    category: reshape(build, orZero(ofBest(padded(category)), isRow), [1, rows]),
    score: reshape(build, best, [1, rows]),
    ...(further && { further: ofBest(padded(further.numbers, further.count)) }),
  };
}
