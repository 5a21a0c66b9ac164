import { tensorToFloat64 } from '../tensor/tensor-values.ts';
import type { Tensor } from '../tensor/tensor.ts';
import { DecodeError } from './decode-error.ts';
import { listOutputs, quote, type Outputs } from './outputs.ts';
import { describeRawHead } from './raw-head.ts';
import { chooseTensors, type DetectionTensorNames } from './tensor-choice.ts';

type DetectionRole = 'location' | 'category' | 'score';

/**
 * Guesses by name, shape, dtype and values, in the model's output order: a 1-D tensor counts the detections,
 * location is 3-D, category is 2-D with whole numbers, score is a remaining 2-D float. `notes` are put before the
 * warnings of the guess.
 * @throws DecodeError tensor-not-found, raw-head, joined-rows
 */
export function guessTensorNames(outputs: Outputs, notes: readonly string[]): DetectionTensorNames {
  const warnings = [...notes];
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
  return chooseTensors(
    { location: names.location!, category: names.category!, score: names.score! },
    { location: why.location!, category: why.category!, score: why.score! },
    warnings,
  );
}

/** Takes the first free 1-D tensor as the number of detections; 0 if there is none. */
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

function notFound(role: DetectionRole, outputs: Outputs, warnings: readonly string[]): DecodeError {
  const rawHead = describeRawHead(outputs);
  if (rawHead !== null) return new DecodeError(rawHead.code, rawHead.message);
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
