import { shapeText } from '../inference/tensor-values.ts';
import { listOutputs, quote, type Outputs } from './outputs.ts';

/**
 * Says in words why outputs that look like an undecoded detector head cannot be remapped; null where they do not look so.
 * Known shapes: one tensor of rows or columns with box, objectness and class numbers (YOLO family), or a pair of tensors
 * for every stride (NanoDet family).
 */
export function describeRawHead(outputs: Outputs): string | null {
  const [[name, tensor] = [], ...others] = [...outputs];
  if (name !== undefined && tensor && others.length === 0 && tensor.shape.length === 3) {
    const [, rows, columns] = tensor.shape as [number, number, number];
    const [candidates, numbers] = columns <= rows ? [rows, columns] : [columns, rows];
    if (numbers < 5 || candidates < 32) return null;
    return (
      `The only output ${quote(name)} ${shapeText(tensor.shape)} looks like a raw detector head: ${candidates} candidates of ` +
      `${numbers} numbers (box, objectness and class scores in one row). It cannot be remapped: renaming gives a tensor one ` +
      'role and the machine needs location and score apart; the boxes of such a head are usually centre and size, often still ' +
      'undecoded offsets in a grid; the score is objectness × class; and nothing has suppressed overlapping boxes. ' +
      remedy
    );
  }
  const heads = [...outputs.values()].filter(({ shape }) => shape.length >= 3);
  const boxes = heads.filter(({ shape }) => shape.at(-1) === 4);
  if (heads.length >= 3 && heads.length === outputs.size && boxes.length !== 1)
    return (
      `The ${outputs.size} outputs ${listOutputs(outputs)} look like a raw ` +
      'detector head with one set of tensors a stride. They cannot be remapped: location and score must each be one tensor, and ' +
      'the boxes are still offsets or distributions in a grid that the machine does not decode. ' +
      remedy
    );
  return null;
}

const remedy =
  'Decode inside the graph: export the model with boxes, scores and non-maximum suppression as outputs "location", "category" and "score".';
