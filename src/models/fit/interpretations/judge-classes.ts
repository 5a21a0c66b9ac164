import { shapeText, type Tensor, tensorToFloat64 } from '../../../machine/vision/face/feeding.ts';
import { decodeClassifications, mostClasses } from '../../../machine/vision/face/results.ts';
import { verdictOf, type Verdict } from './verdict.ts';

const leastScore = 0.05;

/**
 * Judges a tensor as a list of classes. The machine takes any single tensor for that, also boxes and embeddings.
 * @param name of the tensor
 * @param tensor of one run
 * @returns plausible, doubtful or refused, with what was seen, in sentences
 * @example
 * const boxes = { dtype: 'float32', shape: [1, 300, 4], data: new Float32Array(1200) };
 * judgeClasses('out', boxes).kind; // => 'refused'
 */
export function judgeClasses(name: string, tensor: Tensor): Verdict {
  const values = tensorToFloat64(tensor);
  if (!values || values.length === 0) return verdictOf([`“${name}” has no numbers.`], []);
  const what = `“${name}” ${shapeText(tensor.shape)}`;
  const longSides = tensor.shape.filter((size) => size > 1);
  const refusals = [
    longSides.length > 1 && isBoxes(tensor) && `${what} holds boxes or rows of other numbers, not classes.`,
    longSides.length > 1 &&
      !isBoxes(tensor) &&
      `${what} is a table of ${values.length.toLocaleString('en')} numbers, not one score a class.`,
    longSides.length <= 1 &&
      values.length > mostClasses &&
      `${what} would be ${values.length.toLocaleString('en')} classes; no classifier has so many.`,
    longSides.length <= 1 &&
      isUnitVector(values) &&
      `${what} is an embedding: its squares add up to 1, as those of scores never do.`,
    longSides.length <= 1 &&
      values.length > 2 &&
      values.every((value) => value === values[0]) &&
      `All ${values.length} values of ${what} are ${values[0]}.`,
  ];
  if (refusals.some((refusal) => refusal !== false)) return verdictOf(refusals, []);
  const { score } = decodeClassifications(tensor, null);
  const largest = score.reduce((most, value) => Math.max(most, value), -Infinity);
  const sum = score.reduce((total, value) => total + value, 0);
  return verdictOf(
    [Number.isNaN(sum) && `The scores of ${what} are not numbers (NaN) on the machine.`],
    [
      largest < leastScore &&
        `No class passes ${leastScore} on this frame: the largest of ${values.length.toLocaleString('en')} is ${Number(largest.toPrecision(2))}.`,
      values.length === 4 && values.some((value) => value > 1.5) && `${what} is four numbers: one box, perhaps.`,
    ],
    [tensor.dtype === 'uint8' && values.length > 1 && bytesOfSoftmax(what, values, largest)],
  );
}

/** A softmax that was quantised on a scale of 1/256 adds up to 256 or so; the machine takes its bytes for logits. */
function bytesOfSoftmax(what: string, values: Float64Array, shown: number): string | false {
  const sum = values.reduce((total, value) => total + value, 0);
  const most = values.reduce((highest, value) => Math.max(highest, value), 0);
  return (
    sum >= 200 &&
    sum <= 312 &&
    most > 1 &&
    `${what} is bytes, and no scale comes with them. They add up to ${sum}, as a softmax does: the best meant about ${(most / 256).toFixed(2)}. The machine takes them for logits and shows ${shown.toFixed(2)}, so thresholds tell nothing. Make it machine-ready, or export it with a float output.`
  );
}

function isBoxes({ shape }: Tensor): boolean {
  return shape.at(-1) === 4 || shape.at(-2) === 4;
}

/** Face and image embeddings are scaled to length 1, and have values of both signs. */
function isUnitVector(values: Float64Array): boolean {
  if (values.length < 32 || !values.some((value) => value < 0)) return false;
  const squares = values.reduce((sum, value) => sum + value * value, 0);
  return Math.abs(squares - 1) < 1e-3;
}
