import { conversionWithout, foreignOperators, moduleTensorTypes } from '../fit/modules/tflite-limits.ts';
import { ModelError } from '../../machine/vision/face/errors.ts';
import type { TfliteSummary } from './read-model.ts';

/**
 * Says what keeps a model from running here as on the machine. Everything else that the machine makes of it is said by
 * `src/models/fit/modules`.
 * @param model of `readTfliteModel`
 * @returns errors in words, each with a cure; []: none is known
 * @example
 * import { tfliteChannelMeans } from '../../../tests/tflite-models.ts';
 * import { readTfliteModel } from './read-model.ts';
 * checkTfliteModel(readTfliteModel(tfliteChannelMeans())); // => []
 */
export function checkTfliteModel({ file, inputs, outputs }: TfliteSummary): ModelError[] {
  return [...checkOperators(file.operators), ...checkTensors([...inputs, ...outputs])];
}

function* checkOperators(operators: TfliteSummary['file']['operators']): Generator<ModelError> {
  const foreign = foreignOperators(operators);
  if (foreign.length === 0) return;
  yield new ModelError(
    'unsupported-operator',
    `The machine's TensorFlow Lite has its built-in operators only, and the model uses ` +
      `${foreign.map(({ name }) => name).join(', ')}. ${conversionWithout(foreign)}`,
  );
}

function* checkTensors(tensors: TfliteSummary['inputs']): Generator<ModelError> {
  const refused = tensors.filter(({ dtype }) => !moduleTensorTypes.includes(dtype));
  if (refused.length === 0) return;
  yield new ModelError(
    'unsupported-tensor',
    `The machine's TensorFlow Lite module does not start with ` +
      `${refused.map(({ name, dtype }) => `"${name}" (${dtype})`).join(', ')}: it knows whole numbers, float32 and ` +
      'float64. Convert the model with float32 or uint8 inputs and outputs.',
  );
}
