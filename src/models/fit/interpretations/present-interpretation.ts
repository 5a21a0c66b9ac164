import type { BoxOrder } from '../../../machine/vision/face/results.ts';
import type { DetectionInterpretation } from './interpretation.ts';

/**
 * Describes how the machine reads these tensors of a detector now.
 * @param names the tensors of location, category and score
 * @param service its box order, and whether it hides its first label
 * @returns an interpretation of the outputs
 * @example
 * const names = { location: 'b', category: null, score: 's' };
 * presentDetections(names, { boxOrder: [1, 0, 3, 2], dropsFirstLabel: false }).space; // => 'machine'
 * presentDetections(names, { boxOrder: [3, 2, 1, 0], dropsFirstLabel: false }).boxOrder; // => [1, 0, 3, 2]
 */
export function presentDetections(
  { location, category, score }: Pick<DetectionInterpretation, 'location' | 'category' | 'score'>,
  { boxOrder, dropsFirstLabel }: { readonly boxOrder: BoxOrder; readonly dropsFirstLabel: boolean },
): DetectionInterpretation {
  return {
    kind: 'detections',
    location,
    category,
    score,
    boxOrder: smallerFirst(boxOrder),
    boxForm: 'two corners',
    space: 'machine',
    activation: 'none',
    classBase: dropsFirstLabel && category === null ? 'background-first' : 0,
  };
}

/** The machine sorts the two x of a box, and the two y: orders that differ in which of them is the smaller are one. */
function smallerFirst(order: BoxOrder): BoxOrder {
  const axes = order.map((coordinate) => coordinate % 2);
  const sorted = axes.map((axis, at) => (axes.indexOf(axis) === at ? axis : axis + 2));
  return sorted as unknown as BoxOrder;
}
