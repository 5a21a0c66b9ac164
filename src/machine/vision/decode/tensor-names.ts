import type { Tensor } from '../tensor/tensor.ts';
import { DecodeError } from './decode-error.ts';
import { guessTensorNames } from './guess-tensor-names.ts';
import { listOutputs, quote, type Outputs } from './outputs.ts';
import { chooseTensors, type DetectionTensorNames, type TensorChoice } from './tensor-choice.ts';

/** model's tensor name → required name */
export type Remap = Readonly<Record<string, string>>;

/**
 * Finds the tensors of a detector by the machine's four rules (viamrobotics/rdk,
 * services/vision/mlvision/detector.go), tried in order: a remap of all three roles; a remap of location and score
 * whose scores hold the categories; outputs with the required names; a guess by shape, dtype and values. The last
 * two rules are one function here, as the guess starts with names.
 * @param outputs of one run, by tensor name, in the model's order
 * @param remap the service's `remap_output_names`: the model's name of a tensor → the required name
 * @returns the tensor of each role, the rule that chose it, and warnings where the choice is a guess
 * @throws DecodeError remap-missing-tensor, tensor-not-found, raw-head, joined-rows
 * @example
 * const tensor = (shape: number[]) => ({ dtype: 'float32', shape, data: new Float32Array(shape.reduce((a, b) => a * b)) });
 * const outputs = new Map([['location', tensor([1, 5, 4])], ['category', tensor([1, 5])], ['score', tensor([1, 5])]]);
 * const { location, category, score } = nameDetectionTensors(outputs, {});
 * [location, category, score]; // => ['location', 'category', 'score']
 */
export function nameDetectionTensors(outputs: Outputs, remap: Remap): DetectionTensorNames {
  return (
    remapAllThree(outputs, remap) ??
    remapWithoutCategory(outputs, remap) ??
    guessTensorNames(outputs, partialRemapNote(remap))
  );
}

/**
 * Finds the tensor of a classifier: remap, else the output named `probability`, else the only output.
 * @param outputs of one run, by tensor name, in the model's order
 * @param remap the service's `remap_output_names`: the model's name of a tensor → the required name
 * @returns the tensor, and the rule that chose it
 * @throws DecodeError remap-missing-tensor, tensor-not-found
 * @example
 * const outputs = new Map([['softmax', { dtype: 'float32', shape: [1, 2], data: Float32Array.of(0.1, 0.9) }]]);
 * nameClassificationTensor(outputs, {}).tensor; // => 'softmax'
 * nameClassificationTensor(outputs, {}).why; // => 'it is the only output'
 */
export function nameClassificationTensor(outputs: Outputs, remap: Remap): TensorChoice {
  const remapped = tensorFor('probability', remap);
  if (remapped !== undefined) {
    requireOutput(outputs, remapped, 'probability');
    return { role: 'probability', tensor: remapped, why: byRemap };
  }
  if (outputs.has('probability'))
    return { role: 'probability', tensor: 'probability', why: 'the output has this name' };
  const [only, ...others] = outputs.keys();
  if (only !== undefined && others.length === 0)
    return { role: 'probability', tensor: only, why: 'it is the only output' };
  throw new DecodeError(
    'tensor-not-found',
    `No output is named "probability", and with ${outputs.size} outputs none can be assumed: ${listOutputs(outputs)}. ` +
      'Name one in remap_output_names, as {"<model\'s output>": "probability"}.',
  );
}

function remapAllThree(outputs: Outputs, remap: Remap): DetectionTensorNames | null {
  const [location, category, score] = [
    tensorFor('location', remap),
    tensorFor('category', remap),
    tensorFor('score', remap),
  ];
  if (location === undefined || category === undefined || score === undefined) return null;
  requireOutput(outputs, location, 'location');
  requireOutput(outputs, category, 'category');
  requireOutput(outputs, score, 'score');
  return chooseTensors(
    { location, category, score },
    { location: byRemap, category: byRemap, score: byRemap },
    repeatedRoleNotes(remap),
  );
}

function remapWithoutCategory(outputs: Outputs, remap: Remap): DetectionTensorNames | null {
  const [location, score] = [tensorFor('location', remap), tensorFor('score', remap)];
  if (location === undefined || score === undefined) return null;
  const scoreDims = requireOutput(outputs, score, 'score').shape.length;
  if (scoreDims !== 3 && outputs.size !== 2) return null;
  requireOutput(outputs, location, 'location');
  return chooseTensors(
    { location, category: null, score },
    {
      location: byRemap,
      score: `${byRemap}; ${scoreDims === 3 ? '3-D, so the categories are inside' : 'of 2 outputs, so there is one category'}`,
    },
    repeatedRoleNotes(remap),
  );
}

const byRemap = 'remap_output_names says so';

/** Looks up the required name in the remap, whose entries are written model's name → required name. */
function tensorFor(requiredName: TensorChoice['role'], remap: Remap): string | undefined {
  return Object.entries(remap).find(([, required]) => required === requiredName)?.[0];
}

function requireOutput(outputs: Outputs, name: string, role: TensorChoice['role']): Tensor {
  const tensor = outputs.get(name);
  if (tensor) return tensor;
  const reversed = outputs.has(role)
    ? " The map reads model's name → required name; it may be the wrong way round."
    : '';
  throw new DecodeError(
    'remap-missing-tensor',
    `remap_output_names takes the ${role} from ${quote(name)}, which the model does not have. Its outputs: ${listOutputs(outputs)}.${reversed}`,
  );
}

function partialRemapNote(remap: Remap): string[] {
  const given = (['location', 'category', 'score'] as const).filter((role) => tensorFor(role, remap) !== undefined);
  if (given.length === 0) return [];
  return [
    `remap_output_names gives only ${given.join(' and ')}, so the machine ignores it and goes by names and shapes. ` +
      'Give location, category and score, or location and score where the scores hold the categories.',
  ];
}

/** A remap may give two tensors one role: the machine keeps the one that its random map order gives last. */
function repeatedRoleNotes(remap: Remap): string[] {
  return (['location', 'category', 'score'] as const).flatMap((role) => {
    const names = Object.keys(remap).filter((name) => remap[name] === role);
    if (names.length < 2) return [];
    return [
      `remap_output_names gives ${names.length} tensors for the ${role} (${names.map(quote).join(', ')}); took the first, the machine takes any.`,
    ];
  });
}
