import { fittedFamilyKey } from './families/fitted.ts';
import { guided } from './families/guided/guided.ts';
import { isPlaceholder } from '../../machine/vision/face/results.ts';
import { feedingGuessKey, fittedFeedingKey, letterboxKey } from '../../machine/vision/face/inference.ts';
import type { ModelFormatName } from './modules/known-modules.ts';
import type { Preprocessing, Recognition } from './structure/family.ts';
import type { InputSize } from './structure/input-size.ts';
import { feedingAttributes, fitConfiguration, type FittedConfiguration } from './source/fit-configuration.ts';
import { FitError } from './structure/fit-error.ts';
import type { OptionSpec, OptionValues } from './structure/options.ts';
import type { FitRequest } from './source/fit-request.ts';
import { prepareFit } from './prepare-fit.ts';
import { stretching } from './source/stretching.ts';

export interface FittedModel {
  /** the file, ready for the machine */
  readonly model: Uint8Array<ArrayBuffer>;
  readonly format: ModelFormatName;
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
  /** parts that the graph has and the source had not, in words */
  readonly added: readonly string[];
  /** options that may be set; `options` has their values */
  readonly optionSpecs: readonly OptionSpec[];
  readonly options: OptionValues;
  readonly preprocessing: Preprocessing;
  /** why `preprocessing` is only a guess, in a sentence; null: the file, its graph or its family tells it */
  readonly feedingGuess: string | null;
  /** the loss of a model that learned from padded pictures, as its file does not pad, in sentences; null: none */
  readonly stretching: string | null;
  readonly inputSize: InputSize;
  /** null: labels are index numbers */
  readonly labels: readonly string[] | null;
  /** a machine configuration, as JSON */
  readonly configuration: FittedConfiguration;
}

/**
 * Writes a model that the machine takes as it is: input `image`, outputs `location`, `category` and `score` (detectors) or `probability`
 * (classifiers), all float32 and of fixed shapes, decoded and suppressed by operators of the machine's runtime. `bytes` must not change afterwards.
 * @param bytes an ONNX or TensorFlow Lite file; what is written is of the same format
 * @param request family, options, labels and input size, where they are not to be found out
 * @returns the bytes of the new model, its labels, and a machine configuration that fits
 * @throws FitError; ModelError not-onnx, not-tflite, unsupported-dtype, external-data-missing
 * @example
 * fitModel(Uint8Array.of(1, 2, 3)); // throws: Error
 */
export function fitModel(bytes: Uint8Array, request: FitRequest = {}): FittedModel {
  const { source, structure, candidates, size, optionSpecs, options, preprocessing } = prepareFit(bytes, request);
  const [{ family, recognition }, ...others] = candidates;

  const { attached, feeding, added } = source.rewrite({
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
  const { feedingGuess, feedingEvidence } = feedingWords(recognition, request);
  // Whoever says by options how a model is read says nothing of its training.
  const knowsLetterbox = attached.kind === 'detections' && family !== guided && options['letterbox'] !== 'pad';
  const model = source.encode({
    names: labels && JSON.stringify(labels),
    [fittedFamilyKey]: recognition.fittedAs ?? family.id,
    [fittedFeedingKey]: JSON.stringify(feedingAttributes(feeding)),
    [feedingGuessKey]: feedingGuess,
    [letterboxKey]: knowsLetterbox ? JSON.stringify(preprocessing.letterbox) : null,
    'sightglass.added': added.join('; '),
    'sightglass.source_sha256': request.sourceSha256 ?? null,
  });
  return {
    model,
    format: source.format,
    kind: attached.kind,
    family: { id: family.id, name: family.name },
    evidence: [...feedingEvidence, ...(structure.normalization ? [structure.normalization.why] : [])],
    otherFamilies: others.map((other) => ({
      id: other.family.id,
      name: other.family.name,
      evidence: other.recognition.evidence,
    })),
    added,
    optionSpecs,
    options,
    preprocessing,
    feedingGuess,
    stretching: stretching(preprocessing, options, request.options ?? {}, size),
    inputSize: size,
    labels,
    configuration: fitConfiguration({
      kind: attached.kind,
      feeding,
      format: source.format,
      modelFile: request.modelFile ?? `fitted.${source.format}`,
      labelFile: labels && (request.labelFile ?? 'fitted.labels.txt'),
    }),
  };
}

/** Labelled pictures take the place of what was guessed, as evidence too. */
function feedingWords(
  { evidence, feedingGuess: guess }: Recognition,
  { preprocessing, feedingFound }: FitRequest,
): { readonly feedingGuess: string | null; readonly feedingEvidence: readonly string[] } {
  if (!feedingFound) return { feedingGuess: preprocessing ? null : (guess ?? null), feedingEvidence: evidence };
  const { why, isSure } = feedingFound;
  return {
    feedingGuess: isSure ? null : why,
    feedingEvidence: [...evidence.filter((sentence) => sentence !== guess), why],
  };
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
