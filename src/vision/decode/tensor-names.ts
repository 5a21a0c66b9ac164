import type { Tensor } from '../tensor.ts';
import { tensorToFloat64 } from '../inference/tensor-values.ts';
import { DecodeError } from './decode-error.ts';
import { listOutputs, quote, type Outputs } from './outputs.ts';
import { describeRawHead } from './raw-head.ts';

/** Which of the model's tensors plays a role, and the rule that decided, in words. */
export interface TensorChoice {
  readonly role: 'location' | 'category' | 'score' | 'probability';
  readonly tensor: string;
  readonly why: string;
}

export interface DetectionTensorNames {
  readonly location: string;
  /** null = the category is inside the scores, or there is only one */
  readonly category: string | null;
  readonly score: string;
  readonly choices: readonly TensorChoice[];
  readonly warnings: readonly string[];
}

type DetectionRole = 'location' | 'category' | 'score';
/** model's tensor name → required name */
export type Remap = Readonly<Record<string, string>>;

/**
 * Finds the tensors of a detector by the machine's four rules (machine-vision reference §3), tried in order:
 * a remap of all three roles; a remap of location and score whose scores hold the categories; outputs literally so
 * named; a guess by shape, dtype and values.
 * @throws DecodeError remap-missing-tensor, tensor-not-found, raw-head
 */
export function nameDetectionTensors(outputs: Outputs, remap: Remap): DetectionTensorNames {
  return (
    remapAllThree(outputs, remap) ??
    remapWithoutCategory(outputs, remap) ??
    literalNames(outputs, remap) ??
    guessNames(outputs, remap)
  );
}

/**
 * Finds the tensor of a classifier: remap, else the output named `probability`, else the only output.
 * @throws DecodeError remap-missing-tensor, tensor-not-found
 */
export function nameClassificationTensor(outputs: Outputs, remap: Remap): TensorChoice {
  const remapped = tensorFor('probability', remap);
  if (remapped !== undefined) {
    requireOutput(outputs, remapped, 'probability');
    return { role: 'probability', tensor: remapped, why: 'remap_output_names says so' };
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
  const why = 'remap_output_names says so';
  return chosen({ location, category, score }, { location: why, category: why, score: why });
}

function remapWithoutCategory(outputs: Outputs, remap: Remap): DetectionTensorNames | null {
  const [location, score] = [tensorFor('location', remap), tensorFor('score', remap)];
  if (location === undefined || score === undefined) return null;
  const scoreDims = requireOutput(outputs, score, 'score').shape.length;
  if (scoreDims !== 3 && outputs.size !== 2) return null;
  requireOutput(outputs, location, 'location');
  const why = 'remap_output_names says so';
  return chosen(
    { location, category: null, score },
    {
      location: why,
      score:
        scoreDims === 3
          ? `${why}; 3-D, so the categories are inside`
          : `${why}; of 2 outputs, so there is one category`,
    },
  );
}

function literalNames(outputs: Outputs, remap: Remap): DetectionTensorNames | null {
  if (!outputs.has('location') || !outputs.has('category') || !outputs.has('score')) return null;
  const why = 'the output has this name';
  const names = { location: 'location', category: 'category', score: 'score' };
  return chosen(names, { location: why, category: why, score: why }, partialRemapNote(remap));
}

function guessNames(outputs: Outputs, remap: Remap): DetectionTensorNames {
  const warnings = partialRemapNote(remap);
  const free = new Map(outputs);
  const names: Partial<Record<DetectionRole, string>> = {};
  const why: Partial<Record<DetectionRole, string>> = {};
  const take = (role: DetectionRole, name: string, reason: string) => {
    names[role] = name;
    why[role] = reason;
    free.delete(name);
  };
  const guess = (role: DetectionRole, reasonToTake: (tensor: Tensor) => string | null) => {
    if (names[role] !== undefined) return;
    const fits: { name: string; reason: string }[] = [];
    for (const [name, tensor] of free) {
      const reason = reasonToTake(tensor);
      if (reason !== null) fits.push({ name, reason });
    }
    const [first, ...others] = fits;
    if (first === undefined) throw notFound(role, outputs, warnings);
    take(role, first.name, `guessed: ${first.reason}`);
    if (others.length > 0)
      warnings.push(
        `More than one output could be the ${role}: took ${quote(first.name)}, also possible ${others.map(({ name }) => quote(name)).join(', ')}. ` +
          'The machine picks one at random; name all three in remap_output_names.',
      );
  };

  for (const role of ['location', 'category', 'score'] as const)
    if (outputs.has(role)) take(role, role, 'the output has this name');
  const count = takeCount(free);
  guess('location', ({ shape }) => (shape.length === 3 ? 'a 3-D tensor' : null));
  guess('category', (tensor) => reasonForCategory(tensor, count));
  guess('score', ({ shape, dtype }) => (shape.length === 2 && isFloat(dtype) ? 'a remaining 2-D float tensor' : null));
  return chosen(
    { location: names.location!, category: names.category!, score: names.score! },
    { location: why.location!, category: why.category!, score: why.score! },
    warnings,
  );
}

/** The first 1-D tensor still free is the number of detections; 0 where there is none. */
function takeCount(free: Map<string, Tensor>): number {
  for (const [name, tensor] of free) {
    if (tensor.shape.length !== 1) continue;
    free.delete(name);
    return Math.trunc(tensorToFloat64(tensor)?.[0] ?? 0);
  }
  return 0;
}

function reasonForCategory(tensor: Tensor, count: number): string | null {
  if (tensor.shape.length !== 2) return null;
  if (!isFloat(tensor.dtype)) return tensor.dtype === 'string' ? null : 'a 2-D integer tensor';
  return sumOfColumns(tensor, count) % 1 === 0 ? 'a 2-D tensor whose sum is whole' : null;
}

/** Sum over the first `count` columns (0 = all), accumulated in the tensor's own precision as the machine does. */
function sumOfColumns(tensor: Tensor, count: number): number {
  const values = tensorToFloat64(tensor) ?? new Float64Array();
  const columns = tensor.shape[1] ?? 0;
  const counted = count > 0 ? Math.min(count, columns) : columns;
  const round = tensor.dtype === 'float32' ? Math.fround : (value: number) => value;
  let sum = 0;
  for (let i = 0; i < values.length; i++) if (i % columns < counted) sum = round(sum + values[i]!);
  return sum;
}

function isFloat(dtype: Tensor['dtype']): boolean {
  return dtype === 'float32' || dtype === 'float64' || dtype === 'float16';
}

function chosen(
  names: { location: string; category: string | null; score: string },
  why: { location: string; category?: string; score: string },
  warnings: readonly string[] = [],
): DetectionTensorNames {
  const choices: TensorChoice[] = [{ role: 'location', tensor: names.location, why: why.location }];
  if (names.category !== null) choices.push({ role: 'category', tensor: names.category, why: why.category ?? '' });
  choices.push({ role: 'score', tensor: names.score, why: why.score });
  return { ...names, choices, warnings };
}

/** The remap reads model's name → required name; the machine looks the required name up. */
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

function notFound(role: DetectionRole, outputs: Outputs, warnings: readonly string[]): DecodeError {
  const rawHead = describeRawHead(outputs);
  if (rawHead !== null) return new DecodeError('raw-head', rawHead);
  return new DecodeError(
    'tensor-not-found',
    `No output can be taken for the ${role}. The model's outputs: ${[listOutputs(outputs) + '.', ...warnings, remapHint(outputs)].join(' ')}`,
  );
}

function remapHint(outputs: Outputs): string {
  const boxes = [...outputs].find(([, { shape }]) => shape.at(-1) === 4);
  const others = [...outputs].filter(([name]) => name !== boxes?.[0]);
  if (boxes && others.length === 1)
    return `Try remap_output_names {${quote(boxes[0])}: "location", ${quote(others[0]![0])}: "score"}.`;
  return 'Name location, category and score in remap_output_names, if the model has them.';
}
