import { isPlaceholder } from '../vision/decode/labels.ts';
import { decodeModel } from '../onnx/edit-model.ts';
import { encodeModel } from '../onnx/encode-model.ts';
import { embedExternalData } from '../onnx/external-data.ts';
import { readModel, type OnnxSummary } from '../onnx/read-model.ts';
import { setMetadata } from '../onnx/set-metadata.ts';
import type { Preprocessing, Recognition } from './family.ts';
import type { InputSize } from './input-size.ts';
import { fitConfiguration, type FittedConfiguration } from './fit-configuration.ts';
import { FitError } from './fit-error.ts';
import { modelStructure } from './model-structure.ts';
import { chooseOptions, type OptionSpec, type OptionValues } from './options.ts';
import { recogniseFamily } from './registry.ts';
import { rewriteGraph } from './rewrite-graph.ts';

/** What is known of a model and wanted of it; all may be left out. */
export interface FitRequest {
  /** a family's id, where recognition is not to decide */
  readonly family?: string | null;
  /** values of the family's options; the usual ones stand for the rest */
  readonly options?: OptionValues;
  /** how the model was trained to be fed, where its family's usual way is wrong */
  readonly preprocessing?: Partial<Preprocessing>;
  /** class names; default: those in the model's metadata */
  readonly labels?: readonly string[] | null;
  /** for a model whose input is of any size */
  readonly inputSize?: InputSize | null;
  /** weights that lie beside the model, by file name */
  readonly files?: Readonly<Record<string, Uint8Array>>;
  /** written into the metadata, in hexadecimal */
  readonly sourceSha256?: string;
  /** what the configuration calls the files */
  readonly modelFile?: string;
  readonly labelFile?: string;
}

export interface FittedModel {
  /** the file, ready for the machine */
  readonly model: Uint8Array<ArrayBuffer>;
  readonly kind: 'detections' | 'classifications';
  readonly family: { readonly id: string; readonly name: string };
  /** why this family, in plain sentences */
  readonly evidence: readonly string[];
  /** other families that fit, best first: ask for one by its id */
  readonly otherFamilies: readonly {
    readonly id: string;
    readonly name: string;
    readonly evidence: readonly string[];
  }[];
  /** what the graph has that the source had not */
  readonly added: readonly string[];
  /** what may be set, and what was */
  readonly optionSpecs: readonly OptionSpec[];
  readonly options: OptionValues;
  readonly preprocessing: Preprocessing;
  readonly inputSize: InputSize;
  /** null: labels are index numbers */
  readonly labels: readonly string[] | null;
  /** a machine configuration, as JSON */
  readonly configuration: FittedConfiguration;
}

/**
 * Writes a model that the machine takes as it is: input `image`, outputs `location`, `category` and `score` (detectors) or `probability`
 * (classifiers), all float32 and of fixed shapes, decoded and suppressed by standard operators. `bytes` must not change afterwards.
 *
 * @throws FitError; ModelError not-onnx, unsupported-dtype, external-data-missing
 */
export function fitModel(bytes: Uint8Array, request: FitRequest = {}): FittedModel {
  const summary = readModel(bytes);
  refuseWhatFits(summary);
  const model = decodeModel(bytes);
  const embedded = embedExternalData(model.graph, request.files ?? {});
  const structure = modelStructure(model, summary, {
    labels: request.labels ?? null,
    inputSize: request.inputSize ?? null,
  });
  const [{ family, recognition }, ...others] = recogniseFamily(structure, request.family ?? null);
  const size = sizeOf(recognition);
  const usualFeeding = { ...recognition.preprocessing, ...request.preprocessing };
  const optionSpecs = [...recognition.options, ...letterboxOptions(usualFeeding, structure.opset)];
  const options = chooseOptions(optionSpecs, request.options ?? {});
  const preprocessing = { ...usualFeeding, ...recognition.preprocessingOf?.(options) };

  const {
    attached,
    feeding,
    added: inGraph,
  } = rewriteGraph(model, {
    family,
    recognition,
    picture: structure.picture!,
    size,
    preprocessing,
    options,
  });
  const classCount = attached.kind === 'classifications' ? attached.classCount : recognition.classCount;
  const sourceCount = recognition.classCount + (recognition.leavesOutBackground ? 1 : 0);
  const labels = labelsFor(structure.labels, classCount, sourceCount, (request.labels ?? null) !== null);
  const added = [...(embedded > 0 ? [`${embedded} weights that lay in files beside it`] : []), ...inGraph];
  setMetadata(model, {
    names: labels && JSON.stringify(labels),
    'sightglass.family': family.id,
    'sightglass.added': added.join('; '),
    'sightglass.source_sha256': request.sourceSha256 ?? null,
  });
  return {
    model: encoded(model),
    kind: attached.kind,
    family: { id: family.id, name: family.name },
    evidence: recognition.evidence,
    otherFamilies: others.map((other) => ({
      id: other.family.id,
      name: other.family.name,
      evidence: other.recognition.evidence,
    })),
    added,
    optionSpecs,
    options,
    preprocessing,
    inputSize: size,
    labels,
    configuration: fitConfiguration({
      kind: attached.kind,
      feeding,
      modelFile: request.modelFile ?? 'fitted.onnx',
      labelFile: labels && (request.labelFile ?? 'fitted.labels.txt'),
    }),
  };
}

/** @throws FitError already-fits */
export function refuseWhatFits({ inputs, outputs }: OnnxSummary): void {
  const isDetector = ['location', 'category', 'score'].every((name) => outputs.some((output) => output.name === name));
  const isClassifier = outputs.length === 1 && outputs[0]!.name === 'probability';
  const [input] = inputs;
  const isFed = inputs.length === 1 && input!.name === 'image' && ['float32', 'uint8'].includes(input!.dtype);
  if (isFed && (isDetector || isClassifier) && outputs.every(({ dtype }) => dtype === 'float32')) {
    const names = outputs.map(({ name }) => name).join(', ');
    throw new FitError('already-fits', `The machine takes this model as it is: input image, outputs ${names}.`);
  }
}

function sizeOf({ widthPx, heightPx }: Recognition): InputSize {
  if (widthPx > 0 && heightPx > 0) return { widthPx, heightPx };
  throw new FitError(
    'size-unknown',
    'The model takes pictures of any size and does not say which it was trained on. Give the size, as 640x640.',
  );
}

/**
 * Padding is usual for models that were trained with it: stretched, YOLOX-nano lost 0.02 of 0.275 mAP on 40 photographs of 4:3, and
 * wider frames are distorted more. It takes frames of any size, as bytes, and 4 ms for one of 1280×720.
 */
function letterboxOptions({ letterbox }: Preprocessing, opset: number): readonly OptionSpec[] {
  // Pad takes its sizes from a tensor, and Resize a size, from opset 11 on.
  if (letterbox === null || opset < 11) return [];
  return [
    {
      kind: 'choice',
      key: 'letterbox',
      about:
        'pad: the machine hands the frame over whole, and the graph fits it in with its proportions kept, as in training; stretch: the machine stretches it to the input.',
      choices: ['pad', 'stretch'],
      usual: 'pad',
    },
  ];
}

/** The names of the classes that are left; the machine refuses a whole frame for one class without a label. */
function labelsFor(
  labels: readonly string[] | null,
  classCount: number,
  sourceCount: number,
  areGiven: boolean,
): readonly string[] | null {
  if (labels === null || labels.length === 0) return null;
  if (classCount === 0 || labels.length === classCount) return labels;
  if (labels.length === sourceCount) return labels.slice(sourceCount - classCount);
  if (labels.length === classCount + 1 && isPlaceholder(labels[0]!)) return labels.slice(1);
  if (!areGiven) return null;
  throw new FitError(
    'labels-mismatch',
    `The model has ${classCount} classes, and there are ${labels.length} labels. Give the list that it was trained with.`,
  );
}

function encoded(model: Parameters<typeof encodeModel>[0]): Uint8Array<ArrayBuffer> {
  try {
    return encodeModel(model);
  } catch (cause) {
    if (cause instanceof RangeError) throw new FitError('too-large', cause.message, { cause });
    throw cause;
  }
}
