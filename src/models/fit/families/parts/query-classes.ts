import type { ModelStructure } from '../../structure/model-structure.ts';
import type { BoxPair } from './box-pair.ts';

/** Whether the last column of a query's class scores stands for no object, under a softmax; else each class has a sigmoid of its own. */
export interface QueryClasses {
  readonly hasNoObject: boolean;
  /** the sign that says so, as a sentence */
  readonly why: string;
}

/** Operators between a query's last product and its box where nothing but a sigmoid makes the box: sums with a bias, steps and scales of quantised numbers, and what moves numbers. */
const plain = new Set([
  'Add',
  'Sigmoid',
  'Cast',
  'Concat',
  'Gather',
  'Identity',
  'Reshape',
  'Slice',
  'Split',
  'Squeeze',
  'Transpose',
  'Unsqueeze',
  'Mul',
  'QuantizeLinear',
  'DequantizeLinear',
  'DynamicQuantizeLinear',
  'QUANTIZE',
  'DEQUANTIZE',
]);

/**
 * What the columns of class scores mean. DETR and YOLOS, whose last column stands for no object, make each box at once; all later kinds,
 * whose classes have sigmoids, move it from a place where the query starts, which takes more operators than a sigmoid.
 */
export function queryClasses({ startOf, labels }: ModelStructure, { boxes, scores }: BoxPair): QueryClasses {
  const { columns } = scores;
  if (columns === 1) return bySigmoid('One class leaves no column for no object, so it has a sigmoid.');
  const isAtOnce = startOf(boxes.name) === 'Sigmoid' && [...boxes.operators.keys()].every((name) => plain.has(name));
  if (!isAtOnce)
    return bySigmoid(
      'Its boxes move from places where queries start, as in RT-DETR and Deformable DETR: every class has a sigmoid of its own, and none stands for no object.',
    );
  if (labels?.length === columns)
    return bySigmoid(
      `There is a label for each of the ${columns} columns of class scores, so each has a sigmoid of its own, and none stands for no object.`,
    );
  return {
    hasNoObject: true,
    why: `A sigmoid alone makes its boxes, as in DETR and YOLOS: of the ${columns} columns of class scores the last stands for no object, under a softmax. Classes: ${columns - 1}.`,
  };
}

function bySigmoid(why: string): QueryClasses {
  return { hasNoObject: false, why };
}
