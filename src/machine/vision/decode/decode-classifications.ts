import type { RawClassifications } from '../results/detections.ts';
import { shapeText, tensorToFloat64 } from '../tensor/tensor-values.ts';
import type { Tensor } from '../tensor/tensor.ts';
import { DecodeError } from './decode-error.ts';
import { exponential } from './exponential.ts';
import { numberTexts } from './labels.ts';

/**
 * Reads a classifier's output as the machine does (viamrobotics/rdk, mlvision/classifier.go): one score a label, in
 * label order.
 * @param tensor the classifier's output, of any shape with one value a label
 * @param labels one a value; null or empty: index numbers as text are the labels
 * @returns labels with their scores; where a value lies outside 0..1, all values pass through softmax (a single one
 *   outside -1..1 through the sigmoid)
 * @throws DecodeError not-numeric, empty-output, label-count
 * @example
 * const tensor = { dtype: 'float32', shape: [1, 2], data: Float32Array.of(0.25, 0.75) };
 * const { labels, score } = decodeClassifications(tensor, ['cat', 'dog']);
 * labels; // => ['cat', 'dog']
 * [...score]; // => [0.25, 0.75]
 * decodeClassifications(tensor, ['cat']); // throws: The model gives 2 values for 1 labels
 */
export function decodeClassifications(tensor: Tensor, labels: readonly string[] | null): RawClassifications {
  const values = tensorToFloat64(tensor);
  if (!values)
    throw new DecodeError('not-numeric', `The probabilities are ${tensor.dtype} values; numbers are needed.`);
  if (values.length === 0)
    throw new DecodeError(
      'empty-output',
      `The probability tensor ${shapeText(tensor.shape)} has no values; one a label is needed.`,
    );
  if (labels && labels.length > 0 && labels.length !== values.length)
    throw new DecodeError(
      'label-count',
      `The model gives ${values.length} values for ${labels.length} labels; the counts must be equal. ` +
        'Use the label list that the model was trained with.',
    );
  return { labels: labels && labels.length > 0 ? labels : numberTexts(values.length), score: confidences(values) };
}

function confidences(values: Float64Array): Float64Array {
  if (values.length === 1) {
    const [value] = values as unknown as [number];
    if (value < -1 || value > 1) return Float64Array.of(1 / (1 + exponential(-value)));
    return Float64Array.of(value < 0 ? 0 : value); // NaN stays NaN
  }
  return values.some((value) => value < 0 || value > 1) ? softmax(values) : values.slice();
}

/** Without subtracting the maximum: a logit above 709 overflows to NaN on the machine too, and is shown as an error. */
function softmax(logits: Float64Array): Float64Array {
  const exponentials = logits.map((logit) => exponential(logit));
  const sum = exponentials.reduce((total, exponential) => total + exponential, 0);
  return exponentials.map((exponential) => exponential / sum);
}
