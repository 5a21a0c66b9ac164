import type { TensorInfo } from '../../../../machine/vision/face/feeding.ts';
import { reshape, slice } from '../../../onnx/face/graphs.ts';
import type { Rows } from '../../attach/fixed-rows.ts';
import type { Head } from '../../structure/family.ts';
import type { ModelStructure } from '../../structure/model-structure.ts';

/** Outputs of a graph that has already chosen its boxes: a row each of box, class and score, in separate tensors. */
export interface ChosenBoxes {
  /** […, N, 4] corners, or […, N, 5] with the score behind them */
  readonly boxes: TensorInfo;
  /** […, N] whole numbers */
  readonly labels: TensorInfo;
  /** […, N]; null where it stands behind the corners */
  readonly scores: TensorInfo | null;
}

/** Finds them by shape and type alone; null unless there is exactly one tensor for each part. */
export function chosenBoxes({ outputs }: ModelStructure): ChosenBoxes | null {
  const isBoxes = ({ dtype, shape }: TensorInfo) =>
    dtype.startsWith('float') && (shape.length === 2 || isOfOne(shape, 3)) && [4, 5].includes(shape.at(-1)!);
  const [boxes, ...rivals] = outputs.filter(isBoxes);
  if (!boxes || rivals.length > 0) return null;
  const perRow = outputs.filter(({ shape }) => isRowOf(shape, boxes.shape));
  const [labels, ...otherLabels] = perRow.filter(({ dtype }) => dtype.startsWith('int'));
  const [scores = null, ...otherScores] = perRow.filter(({ dtype }) => dtype.startsWith('float'));
  if (!labels || otherLabels.length > 0 || otherScores.length > 0) return null;
  return (scores === null) === (boxes.shape.at(-1) === 5) ? { boxes, labels, scores } : null;
}

function isOfOne(shape: readonly number[], rank: number): boolean {
  return shape.length === rank && (shape[0] === 1 || shape[0] === -1);
}

/** Whether a tensor has one number for each row of the boxes, as far as the file says sizes. */
function isRowOf(shape: readonly number[], boxes: readonly number[]): boolean {
  const rows = boxes.slice(0, -1);
  return shape.length === rows.length && shape.every((size, k) => size === rows[k] || size === -1 || rows[k] === -1);
}

/** The chosen rows as they come out, corners in the order and the unit that the graph has them in. */
export function chosenRows(head: Head, { boxes, labels, scores }: ChosenBoxes): Rows {
  const { build } = head;
  const columns = boxes.shape.at(-1)!;
  const rows = reshape(build, head.output(boxes.name), [-1, columns]);
  return {
    boxes: columns === 4 ? rows : slice(build, rows, 1, 0, 4),
    category: reshape(build, head.output(labels.name), [-1]),
    score: reshape(build, scores ? head.output(scores.name) : slice(build, rows, 1, 4, 5), [-1]),
  };
}
