import type { ModelStructure } from '../../structure/model-structure.ts';
import { rawOutputs, type RawOutput } from './raw-output.ts';

/** Raw boxes and the scores of their classes, a row each a candidate, in two tensors. */
export interface BoxPair {
  /** [1, N, 4], or more columns of which the first four are the box */
  readonly boxes: RawOutput;
  /** [1, N, C] */
  readonly scores: RawOutput;
  /** other tensors with a row a candidate: key points, objectness */
  readonly beside: readonly RawOutput[];
}

/** Says which of the outputs is which by the columns; null where more than one interpretation is left. */
export function boxPair(model: ModelStructure, outputs = rawOutputs(model)): BoxPair | null {
  const [boxes, ...otherBoxes] = outputs.filter(({ columns }) => columns === 4).toSorted(boxesFirst(model));
  if (!boxes || otherBoxes.length > 1) return null;
  const others = outputs.filter((one) => one !== boxes && one.rows === boxes.rows && one.columns > 0);
  // Five key points of two numbers, and one number of how well the box fits, are no classes; nor are the four corners of a plate
  // beside the scores of one class and a background.
  const isOneClass = others.some(({ columns }) => columns === 2);
  const isNoClasses = ({ columns }: RawOutput) => columns === 10 || columns === 1 || (columns === 8 && isOneClass);
  const [scores, ...beside] = others.toSorted((a, b) => Number(isNoClasses(a)) - Number(isNoClasses(b)));
  if (!scores || beside.some((output) => !isNoClasses(output))) return null;
  return { boxes, scores, beside };
}

/**
 * Where the classes are four, too, names tell boxes from scores, and where they do not, operators: of queries, boxes take more of them
 * than logits, which are a product's sums; of grids of cells, scores have a sigmoid or a softmax.
 */
function boxesFirst({ layersOf }: ModelStructure): (a: RawOutput, b: RawOutput) => number {
  const isBox = ({ name }: RawOutput) => Number(/box|loc|reg/i.test(name));
  const looksDecoded = ({ name, operators }: RawOutput) => {
    const ofGrid = [...layersOf(name)].some((layer) => layer.includes('Conv'));
    return ofGrid ? -Number(operators.has('Sigmoid') || operators.has('Softmax')) : operators.size;
  };
  return (a, b) => isBox(b) - isBox(a) || looksDecoded(b) - looksDecoded(a);
}
