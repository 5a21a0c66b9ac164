import type { TensorInfo } from '../tensor/tensor.ts';
import { InferenceError } from '../errors/inference-error.ts';
import type { InferenceSession } from './inference-session.ts';

/**
 * Refuses a model that has more inputs than the one tensor that the machine feeds.
 * @param session what the model declares
 * @param fedName name of the tensor that the machine feeds
 * @throws InferenceError unfilled-input
 * @example
 * const inputs = [{ name: 'image', dtype: 'uint8', shape: [1, 4, 4, 3], symbols: [] }];
 * refuseUnfilledInputs({ inputs }, 'image'); // => undefined
 * refuseUnfilledInputs({ inputs }, 'picture'); // throws: The machine feeds an input named "picture", which the model does not have.
 */
export function refuseUnfilledInputs({ inputs }: InferenceSession, fedName: string): void {
  const names = inputs.map(({ name }) => name);
  const unfilled = inputs.filter(({ name }) => name !== fedName);
  if (unfilled.length === 0) return;
  throw new InferenceError(
    'unfilled-input',
    names.includes(fedName)
      ? `The model has ${names.length} inputs and the machine fills only "${fedName}": ${listNames(unfilled)} would stay empty. ` +
          `${unfilled.map(describeInput).join(' ')} Make ${unfilled.length === 1 ? 'it a constant' : 'them constants'} inside the graph.`
      : `The machine feeds an input named "${fedName}", which the model does not have. Its inputs: ${listNames(unfilled)}. ` +
          `Write remap_input_names {"${names[0]}": "image"}: model's name first.`,
  );
}

function listNames(inputs: readonly TensorInfo[]): string {
  return inputs.map(({ name }) => `"${name}"`).join(', ');
}

/** Guesses from type and shape what an input besides the picture expects. */
function describeInput({ name, dtype, shape }: TensorInfo): string {
  const isPair = shape.at(-1) === 2 && shape.length <= 2;
  const wants = !isPair
    ? ''
    : dtype.startsWith('int')
      ? ', probably the width and height of the picture in whole pixels'
      : ', probably the size of the picture or the scale that it was resized by';
  const sizes = shape.map((size) => (size < 0 ? 'any' : size)).join('×') || 'scalar';
  return `"${name}" takes ${dtype} ${sizes}${wants}.`;
}
