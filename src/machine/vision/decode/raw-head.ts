import { shapeText } from '../tensor/tensor-values.ts';
import type { Tensor } from '../tensor/tensor.ts';
import { listOutputs, quote, type Outputs } from './outputs.ts';

/** Detector outputs that no remap of tensor names makes readable for the machine. */
export interface UnreadableHead {
  readonly code: 'raw-head' | 'joined-rows';
  readonly message: string;
}

/**
 * Says in words why the outputs of a detector cannot be remapped; null where they do not look like one. Known shapes: one
 * tensor of finished rows (YOLOv10, YOLO26), of candidates in rows (YOLOv5, v7, X) or in columns (YOLOv8, 11), or a pair of
 * tensors for every stride (NanoDet).
 */
export function describeRawHead(outputs: Outputs): UnreadableHead | null {
  const [[name, tensor] = [], ...others] = [...outputs];
  if (name !== undefined && tensor && others.length === 0 && tensor.shape.length === 3) {
    const words = wordsOfOne(tensor);
    return words && { ...words, message: `The only output ${quote(name)} ${shapeText(tensor.shape)} ${words.message}` };
  }
  const heads = [...outputs.values()].filter(({ shape }) => shape.length >= 3);
  const boxes = heads.filter(({ shape }) => shape.at(-1) === 4);
  if (heads.length >= 3 && heads.length === outputs.size && boxes.length !== 1)
    return {
      code: 'raw-head',
      message:
        `The ${outputs.size} outputs ${listOutputs(outputs)} look like a raw ` +
        'detector head with one set of tensors a stride. They cannot be remapped: location and score must each be one tensor, and ' +
        'the boxes are still offsets or distributions in a grid that the machine does not decode. ' +
        remedy,
    };
  return null;
}

function wordsOfOne({ shape, data }: Tensor): UnreadableHead | null {
  const [, rows, columns] = shape as [number, number, number];
  if (columns === 6 && rows <= mostFinishedRows && endInClasses(data))
    return {
      code: 'joined-rows',
      message:
        'holds finished detections, one a row (x1, y1, x2, y2, score, class), as YOLOv10, YOLO26 and other end-to-end ' +
        'models give them: decoded and suppressed already. It cannot be remapped all the same: renaming gives a tensor one role ' +
        'and the machine needs location, score and category apart. Split it inside the graph into outputs of these names.',
    };
  const inRows = columns <= rows;
  const [candidates, numbers] = inRows ? [rows, columns] : [columns, rows];
  if (numbers < 5 || candidates < 32) return null;
  const [layout, score] = inRows
    ? ['box, objectness and class scores in one row', 'objectness × class']
    : ['box and class scores, one candidate a column; there is no objectness', 'that of the best class'];
  return {
    code: 'raw-head',
    message:
      `looks like a raw detector head: ${candidates} candidates of ${numbers} numbers (${layout}). ` +
      'It cannot be remapped: renaming gives a tensor one role and the machine needs location and score apart; the boxes of ' +
      'such a head are usually centre and size, often still undecoded offsets in a grid; ' +
      `the score is ${score}; and nothing has suppressed overlapping boxes. ${remedy}`,
  };
}

/** Finished rows of six end in the number of a class; those of a raw head of one class end in its score. */
function endInClasses(data: Tensor['data']): boolean {
  for (let at = 5; at < data.length; at += 6) if (Number(data[at]) % 1 !== 0) return false;
  return true;
}

/** Detectors with built-in suppression keep 100 or 300 rows; a head of one class over a grid has thousands. */
const mostFinishedRows = 1000;

const remedy =
  'Decode inside the graph: export the model with boxes, scores and non-maximum suppression as outputs "location", "category" and "score".';
