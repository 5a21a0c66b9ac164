import { InferenceError } from '../../../src/machine/vision/face/errors.ts';
import { shapeText, type TensorInfo } from '../../../src/machine/vision/face/feeding.ts';

/**
 * A picture of 640 × 640 takes 5 MB as a model's input; an input above this limit leaves nothing of WebAssembly's 4
 * GB.
 */
const mostNumbers = 2 ** 28;

/**
 * Refuses a model whose input alone needs more memory than there is, before the memory is allocated.
 * @throws InferenceError out-of-memory
 */
export function refuseVastInputs(inputs: readonly TensorInfo[]): void {
  for (const { name, shape } of inputs) {
    const numbers = shape.reduce((product, size) => product * Math.max(1, size), 1);
    if (numbers > mostNumbers)
      throw new InferenceError(
        'out-of-memory',
        `Its input "${name}" is ${shapeText(shape)}: ${Math.round(numbers / 1e6).toLocaleString('en')} million numbers for one picture are more than a browser has memory for. Export it with a smaller input.`,
      );
  }
}
