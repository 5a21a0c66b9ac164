import type { GraphProto, ModelProto } from '../gen/onnx_pb.ts';
import { decodeModel } from '../onnx/edit-model.ts';
import { embedExternalData } from '../onnx/external-data.ts';
import { readModel, type OnnxSummary } from '../onnx/read-model.ts';
import type { Preprocessing, Recognition } from './family.ts';
import { FitError } from './fit-error.ts';
import type { InputSize } from './input-size.ts';
import { fileFindings } from './modules/file-findings.ts';
import { reasonsAgainst } from './modules/module-finding.ts';
import { modelStructure, type ModelStructure } from './model-structure.ts';
import { chooseOptions, type OptionSpec, type OptionValues } from './options.ts';
import { recogniseFamily, type Candidate } from './registry.ts';

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

/** What is settled before anything is written. */
export interface PreparedFit {
  readonly model: ModelProto & { graph: GraphProto };
  /** weights that lay in files beside the model */
  readonly embedded: number;
  readonly structure: ModelStructure;
  /** the family that is taken, and others that fit */
  readonly candidates: readonly [Candidate, ...Candidate[]];
  readonly size: InputSize;
  readonly optionSpecs: readonly OptionSpec[];
  readonly options: OptionValues;
  readonly preprocessing: Preprocessing;
}

/** @throws FitError; ModelError not-onnx, unsupported-dtype, external-data-missing */
export function prepareFit(bytes: Uint8Array, request: FitRequest): PreparedFit {
  const summary = readModel(bytes);
  // Whoever names a family knows that the model is not as its names say.
  if ((request.family ?? null) === null) refuseWhatFits(summary);
  const model = decodeModel(bytes);
  const embedded = embedExternalData(model.graph, request.files ?? {});
  const structure = modelStructure(model, summary, {
    labels: request.labels ?? null,
    inputSize: request.inputSize ?? null,
  });
  const candidates = recogniseFamily(structure, request.family ?? null);
  const [{ recognition }] = candidates;
  const size = sizeOf(recognition);
  const usualFeeding = { ...feedingOf(recognition, structure), ...request.preprocessing };
  const optionSpecs = [...recognition.options, ...letterboxOptions(usualFeeding, structure.opset)];
  const options = chooseOptions(optionSpecs, request.options ?? {});
  const preprocessing = { ...usualFeeding, ...recognition.preprocessingOf?.(options) };
  return { model, embedded, structure, candidates, size, optionSpecs, options, preprocessing };
}

/** How a model is to be fed: as its family was, but pixels as the graph's own arithmetic expects them. */
export function feedingOf({ preprocessing }: Recognition, { normalization }: ModelStructure): Preprocessing {
  return normalization ? { ...preprocessing, mean: normalization.mean, stdDev: normalization.stdDev } : preprocessing;
}

/**
 * The names are those that the vision service looks for, and the module that runs the file finds nothing against it.
 *
 * @throws FitError already-fits
 */
export function refuseWhatFits({ inputs, outputs, loadFacts }: OnnxSummary): void {
  const isDetector = ['location', 'category', 'score'].every((name) => outputs.some((output) => output.name === name));
  const isClassifier = outputs.length === 1 && outputs[0]!.name === 'probability';
  if (inputs[0]?.name !== 'image' || (!isDetector && !isClassifier)) return;
  if (reasonsAgainst(fileFindings({ format: 'onnx', facts: loadFacts, filesBeside: null })).length > 0) return;
  const names = outputs.map(({ name }) => name).join(', ');
  throw new FitError('already-fits', `The machine takes this model as it is: input image, outputs ${names}.`);
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
