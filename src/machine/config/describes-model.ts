import type { TensorInfo } from '../vision/face/feeding.ts';
import { findEntry, type ConfigEntry } from './parse/config-entries.ts';
import { readAttribute } from './edit/edit-config.ts';
import { isObject } from './json/json-document.ts';
import { modelPathOf } from './parse/label-file.ts';

/** A model that runs, as far as it is known: what is not known is missing or ''. */
export interface RunningModel {
  /** without a folder; '': no file is at hand, because a live machine runs it */
  readonly fileName: string;
  /** digest of the file's bytes, in hex */
  readonly sha256?: string | undefined;
  readonly inputs?: readonly TensorInfo[] | undefined;
  readonly outputs?: readonly TensorInfo[] | undefined;
  readonly classCount?: number | null | undefined;
}

/**
 * Facts of the model that the configuration means, besides its text: those of the file behind its path by a certificate or
 * because it was opened before, of the classes by its label file.
 */
export type MeantModel = Partial<Omit<RunningModel, 'fileName'>>;

/** The evidence that decided, the most confident first. */
export type MatchEvidence = 'hash' | 'file-name' | 'structure';

/** One thing in which the model that the configuration means differs from the one that runs. */
export type ModelDifference =
  | { readonly what: 'hash' | 'file-name'; readonly meant: string; readonly runs: string }
  /** a remap names a tensor that the model does not have, or a tensor that is known of the one meant is missing */
  | {
      readonly what: 'tensor';
      readonly side: 'input' | 'output';
      readonly meant: string;
      readonly runs: readonly string[];
    }
  | {
      readonly what: 'shape';
      readonly side: 'input' | 'output';
      readonly tensor: string;
      readonly meant: string;
      readonly runs: string;
    }
  | { readonly what: 'classes'; readonly meant: number; readonly runs: number };

/** Whether the configuration describes a model; `meant` is the name of the file that it means, '' where it names none. */
export type ModelMatch =
  | { readonly says: 'same'; readonly by: MatchEvidence; readonly meant: string }
  | {
      readonly says: 'differs';
      readonly by: MatchEvidence;
      readonly meant: string;
      readonly runs: string;
      readonly differences: readonly ModelDifference[];
    }
  | { readonly says: 'cannot-tell'; readonly meant: string };

/**
 * Says whether what a configuration says of a vision service's model (its file, how it is fed and read) is said of a given model.
 * The hash decides where it is known of both; otherwise the name of the file; where the configuration names no file, the tensors
 * and the classes. A model is never taken for the same because its tensors merely have the usual names.
 * @param entries of the configuration
 * @param vision name of the vision service
 * @param model the one that runs
 * @param meant what is known of the model that the configuration means
 * @returns whether it is the same, with what decided; `cannot-tell` where nothing speaks for or against it
 * @example
 * import { listEntries } from './parse/config-entries.ts';
 * import { parseDocument } from './json/json-document.ts';
 * const model = { name: 'm', api: 'rdk:service:mlmodel', model: 'x', attributes: { model_path: '/m/people.onnx' } };
 * const vision = { name: 'v', api: 'rdk:service:vision', model: 'mlmodel', attributes: { mlmodel_name: 'm' } };
 * const entries = listEntries(parseDocument(JSON.stringify({ services: [model, vision] })));
 * describesModel(entries, 'v', { fileName: 'people.onnx' }); // => { says: 'same', by: 'file-name', meant: 'people.onnx' }
 * describesModel(entries, 'v', { fileName: 'yolox.onnx' }).says; // => 'differs'
 * describesModel(entries, 'v', { fileName: 'yolox.onnx', sha256: 'ab' }, { sha256: 'ab' }).says; // => 'same'
 */
export function describesModel(
  entries: readonly ConfigEntry[],
  vision: string,
  model: RunningModel,
  meant: MeantModel = {},
): ModelMatch {
  const name = fileNameIn(modelPathOf(entries, vision));
  const differs = (by: MatchEvidence, differences: readonly ModelDifference[]): ModelMatch => ({
    says: 'differs',
    by,
    meant: name,
    runs: model.fileName,
    differences,
  });
  const hash = differentText('hash', meant.sha256, model.sha256);
  if (hash !== undefined) return hash ? differs('hash', [hash]) : { says: 'same', by: 'hash', meant: name };
  const file = differentText('file-name', name, model.fileName);
  if (file) return differs('file-name', [file]);
  const known = differentStructure(meant, model);
  if (known.length > 0) return differs('structure', known);
  if (file === null) return { says: 'same', by: 'file-name', meant: name };
  // With a file, a remap of a tensor that it lacks is a mistake in the remap, and has a finding of its own.
  const lacking = lackingTensors(entries, vision, model);
  if (lacking.length > 0) return differs('structure', lacking);
  const isKnown = meant.inputs !== undefined && meant.outputs !== undefined;
  return isKnown && model.inputs && model.outputs
    ? { says: 'same', by: 'structure', meant: name }
    : { says: 'cannot-tell', meant: name };
}

/**
 * Says in a sentence by what the model that a configuration describes differs from the one that runs.
 * @param match of `describesModel`
 * @param where words before the name of the model that runs, such as "on the stage is" or "--model gives"
 * @returns one sentence
 * @example
 * const difference = { what: 'file-name', meant: 'a.onnx', runs: 'b.onnx' };
 * const match = { says: 'differs', by: 'file-name', meant: 'a.onnx', runs: 'b.onnx', differences: [difference] };
 * otherModelWords(match, 'on the stage is'); // => 'The configuration describes a.onnx; on the stage is b.onnx.'
 */
export function otherModelWords(match: Extract<ModelMatch, { says: 'differs' }>, where: string): string {
  const { meant, runs, by, differences } = match;
  const given = runs || 'a model of a machine';
  if (meant !== '' && !sameName(meant, runs)) return `The configuration describes ${meant}; ${where} ${given}.`;
  const why = by === 'hash' ? 'the bytes of the file are others' : differences.map(differenceWords).join(', ');
  return `The configuration describes another ${meant || 'model'}; ${where} ${given}, and ${why}.`;
}

function differenceWords(difference: ModelDifference): string {
  switch (difference.what) {
    case 'tensor': {
      const { side, meant, runs } = difference;
      return `it has no ${side} "${meant}" (it has ${runs.join(', ') || 'none'})`;
    }
    case 'shape': {
      const { side, tensor, meant, runs } = difference;
      return `its ${side} "${tensor}" is ${runs} instead of ${meant}`;
    }
    case 'classes':
      return `it has ${difference.runs} classes instead of ${difference.meant}`;
    case 'hash':
    case 'file-name':
      return `it is ${difference.runs} instead of ${difference.meant}`;
  }
}

/** null: the same; undefined: one of them is not known. */
function differentText(
  what: 'hash' | 'file-name',
  meant = '',
  runs = '',
): Extract<ModelDifference, { what: 'hash' | 'file-name' }> | null | undefined {
  if (meant === '' || runs === '') return undefined;
  return sameName(meant, runs) ? null : { what, meant, runs };
}

/** macOS hands file names over with their accents apart. */
const sameName = (a: string, b: string): boolean => a.normalize('NFC') === b.normalize('NFC');

/** '' for a path that ends in a folder or in a package itself, such as `${packages.ml_model.people}`. */
function fileNameIn(path: string): string {
  const name = path.split(/[/\\]/).at(-1) ?? '';
  return name.includes('${') ? '' : name;
}

function* tensorSides(meant: MeantModel, model: RunningModel) {
  yield { side: 'input', wanted: meant.inputs, given: model.inputs } as const;
  yield { side: 'output', wanted: meant.outputs, given: model.outputs } as const;
}

function differentStructure(meant: MeantModel, model: RunningModel): readonly ModelDifference[] {
  const differences: ModelDifference[] = [];
  for (const { side, wanted, given } of tensorSides(meant, model)) {
    if (!wanted || !given) continue;
    for (const tensor of wanted) {
      const found = given.find(({ name }) => name === tensor.name);
      if (!found) differences.push({ what: 'tensor', side, meant: tensor.name, runs: given.map(({ name }) => name) });
      else if (!sameTensor(tensor, found))
        differences.push({
          what: 'shape',
          side,
          tensor: tensor.name,
          meant: shapeText(tensor),
          runs: shapeText(found),
        });
    }
  }
  const { classCount: wanted = null } = meant;
  const { classCount: given = null } = model;
  // A background class is in some lists of labels and not in others.
  if (wanted !== null && given !== null && Math.abs(wanted - given) > 1)
    differences.push({ what: 'classes', meant: wanted, runs: given });
  return differences;
}

/** A dynamic size fits any. */
const sameTensor = (a: TensorInfo, b: TensorInfo): boolean =>
  a.dtype === b.dtype &&
  a.shape.length === b.shape.length &&
  a.shape.every((size, axis) => size === b.shape[axis] || size < 0 || b.shape[axis]! < 0);

const shapeText = ({ dtype, shape }: TensorInfo): string => `${dtype} ${shape.join('×') || 'scalar'}`;

function lackingTensors(
  entries: readonly ConfigEntry[],
  vision: string,
  { inputs, outputs }: RunningModel,
): readonly ModelDifference[] {
  const service = findEntry(entries, vision, 'mlmodel-vision');
  if (!service) return [];
  return [{ side: 'input', tensors: inputs } as const, { side: 'output', tensors: outputs } as const].flatMap(
    ({ side, tensors }): ModelDifference[] => {
      const remap = readAttribute(service, `remap_${side}_names`);
      if (!isObject(remap) || !tensors) return [];
      const names = tensors.map(({ name }) => name);
      const lacking = Object.keys(remap).filter((name) => !names.includes(name));
      return lacking.map((name) => ({ what: 'tensor', side, meant: name, runs: names }));
    },
  );
}
