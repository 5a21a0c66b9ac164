import { ModelError } from '../vision/inference/model-error.ts';
import type { TensorDtype } from '../vision/tensor.ts';
import { detectionPostprocess } from './detection-postprocess.ts';
import type { TfliteSummary } from './read-model.ts';

const dtypesOfTheModule: readonly TensorDtype[] = [
  ...(['int8', 'uint8', 'int16', 'uint16', 'int32', 'uint32', 'int64', 'uint64', 'float32', 'float64'] as const),
];
const dtypesOfTheMachine: readonly TensorDtype[] = ['uint8', 'float32'];

/** What keeps a model from running on the machine, each in words with the cure; [] if nothing is known to. */
export function checkTfliteModel({ file, inputs, outputs }: TfliteSummary): ModelError[] {
  return [...checkOperators(file.operators), ...checkTensors([...inputs, ...outputs]), ...checkInput(inputs)];
}

function* checkOperators(operators: TfliteSummary['file']['operators']): Generator<ModelError> {
  const foreign = operators.filter(({ name, isCustom }) => isCustom && name !== detectionPostprocess);
  if (foreign.length === 0) return;
  const isFlex = foreign.some(({ name }) => name.startsWith('Flex'));
  yield new ModelError(
    'unsupported-operator',
    `The machine's TensorFlow Lite has its built-in operators only, and the model uses ` +
      `${foreign.map(({ name }) => name).join(', ')}. Convert it ` +
      (isFlex ? 'without tf.lite.OpsSet.SELECT_TF_OPS.' : 'with allow_custom_ops=False.'),
  );
}

function* checkTensors(tensors: TfliteSummary['inputs']): Generator<ModelError> {
  const refused = tensors.filter(({ dtype }) => !dtypesOfTheModule.includes(dtype));
  if (refused.length === 0) return;
  yield new ModelError(
    'unsupported-tensor',
    `The machine's TensorFlow Lite module does not start with ` +
      `${refused.map(({ name, dtype }) => `"${name}" (${dtype})`).join(', ')}: it knows whole numbers, float32 and ` +
      'float64. Convert the model with float32 or uint8 inputs and outputs.',
  );
}

function* checkInput([first]: TfliteSummary['inputs']): Generator<ModelError> {
  if (first === undefined) {
    yield new ModelError('unsupported-dtype', 'The model has no input for the machine to fill.');
  } else if (dtypesOfTheModule.includes(first.dtype) && !dtypesOfTheMachine.includes(first.dtype)) {
    yield new ModelError(
      'unsupported-dtype',
      `The machine does not fill ${first.dtype} inputs ("${first.name}"): convert the model with ` +
        'inference_input_type = tf.uint8 or tf.float32.',
    );
  }
}
