import { isChannelsFirst } from '../../../machine/vision/face/feeding.ts';
import type { ModuleFinding } from './module-finding.ts';
import { pictureFindings } from './picture-findings.ts';
import { conversionWithout, foreignOperators, moduleTensorTypes } from './tflite-limits.ts';
import { operatorTable } from './tflite-operator-table.ts';

/** What the module decides on: of the interpreter's inputs and outputs, and the operators of the file. */
export interface TfliteFacts {
  readonly inputs: readonly TfliteValue[];
  readonly outputs: readonly TfliteValue[];
  readonly operators: readonly { readonly name: string; readonly isCustom: boolean; readonly version: number }[];
  /** convolutions of float32 values with int8 weights */
  readonly hybridConvolutions: number;
}

export interface TfliteValue {
  readonly name: string;
  /** "float32", or whatever else the schema calls it, in small letters */
  readonly type: string;
  /** shape as the interpreter allocates it */
  readonly shape: readonly number[];
}

/** What `viam:mlmodel-tflite:tflite_cpu`, with TensorFlow Lite 2.15.0, makes of a file. */
export function tfliteCpuFindings(facts: TfliteFacts): readonly ModuleFinding[] {
  return [
    ...operatorFindings(facts),
    ...typeFindings([...facts.inputs, ...facts.outputs]),
    ...inputFindings(facts),
    ...outputFindings(facts),
    ...arithmeticFindings(facts),
  ];
}

function* operatorFindings({ operators }: TfliteFacts): Generator<ModuleFinding> {
  const foreign = foreignOperators(operators);
  if (foreign.length > 0) {
    yield {
      code: 'custom-operator',
      severity: 'refuses',
      message: `The machine's TensorFlow Lite has its built-in operators only, and the model uses ${foreign.map(({ name }) => name).join(', ')}: "Encountered unresolved custom op: ${foreign[0]!.name}".`,
      cure: conversionWithout(foreign),
    };
  }
  for (const { name, version } of operators.filter(({ isCustom }) => !isCustom)) {
    const newest = newestVersion(name);
    if (newest !== undefined && version <= newest) continue;
    yield {
      code: 'operator',
      severity: 'refuses',
      message: `The machine's TensorFlow Lite 2.15.0 is too old for ${name}: "Didn't find op for builtin opcode '${name}' version '${version}'".`,
      cure: newest === undefined ? 'Convert the model without it.' : 'Convert the model with TensorFlow 2.15.',
    };
  }
}

/** The newest version of a built-in operator that is there; undefined where the operator is not. */
function newestVersion(name: string): number | undefined {
  const span = Object.entries(operatorTable).find(([, names]) => names.split(' ').includes(name))?.[0];
  return span === undefined ? undefined : Number(span.split('-')[1]);
}

function* typeFindings(values: readonly TfliteValue[]): Generator<ModuleFinding> {
  const refused = values.filter(({ type }) => !moduleTensorTypes.includes(type));
  if (refused.length === 0) return;
  yield {
    code: 'tensor-type',
    severity: 'refuses',
    message: `The module knows whole numbers, float32 and float64, not ${refused.map(({ name, type }) => `"${name}" (${type})`).join(', ')}: "Model contains unsupported tflite data type".`,
    cure: 'Convert the model with float32 or uint8 inputs and outputs.',
  };
}

function* inputFindings({ inputs }: TfliteFacts): Generator<ModuleFinding> {
  const [first, ...others] = inputs;
  if (first === undefined) {
    yield {
      code: 'no-input',
      severity: 'fails-at-first-frame',
      message: 'The model has no input that takes a picture.',
      cure: 'Convert it with its picture as an input.',
    };
    return;
  }
  if (moduleTensorTypes.includes(first.type) && first.type !== 'uint8' && first.type !== 'float32') {
    yield {
      code: 'input-dtype',
      severity: 'fails-at-first-frame',
      message: `The input "${first.name}" is ${first.type}, and the vision service fills uint8 and float32 alone: "try uint8 or float32".`,
      cure: 'Convert the model with inference_input_type = tf.uint8 or tf.float32.',
    };
  }
  if (others.length > 0) {
    yield {
      code: 'second-input',
      severity: 'fails-at-first-frame',
      message: `The vision service fills one input, not ${others.map(({ name }) => `"${name}"`).join(', ')}: "Too few inputs provided for inference: ${inputs.length} expected, but got 1 instead".`,
      cure: 'Convert it with one input.',
    };
  }
  yield* pictureFindings(first);
  const [, height, width] = isChannelsFirst(first.shape) ? first.shape.slice(1) : first.shape;
  if (first.shape.length === 4 && (height === 1 || width === 1)) {
    yield {
      code: 'open-size',
      severity: 'warns',
      message: `The input "${first.name}" is of open size, which the interpreter takes as ${height}×${width}: every frame becomes that small.`,
      cure: 'Convert the model with a fixed size.',
    };
  }
}

function* outputFindings({ outputs }: TfliteFacts): Generator<ModuleFinding> {
  const quantised = outputs.filter(({ type }) => type === 'uint8' || type === 'int8');
  if (quantised.length === 0) return;
  yield {
    code: 'output-quantised',
    severity: 'warns',
    message: `The module hands out ${quantised.map(({ name }) => `"${name}"`).join(', ')} as stored, in ${quantised[0]!.type} steps and not in the numbers that they stand for.`,
    cure: 'Convert the model with inference_output_type = tf.float32 where scores matter.',
  };
}

/**
 * Such a convolution brings its float32 values to int8 for every frame. The machine's TensorFlow Lite takes one scale for a
 * whole picture, the bench's runtime one for a row of values. Both are right, and their results differ.
 */
function* arithmeticFindings({ hybridConvolutions: count }: TfliteFacts): Generator<ModuleFinding> {
  if (count === 0) return;
  yield {
    code: 'arithmetic',
    severity: 'warns',
    message: `The model is quantised by dynamic range: ${count === 1 ? 'one convolution rounds' : `${count} convolutions round`} each frame's values to int8, and the machine rounds them differently from the bench. Scores differ by 0.02 to 0.10 in models that were tried.`,
    cure: 'Leave that much between thresholds and the scores that matter, or convert the model with float32 or full int8 weights: these give the same scores on both.',
  };
}
