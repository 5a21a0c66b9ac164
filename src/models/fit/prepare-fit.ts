import { openFitSource } from './open-fit-source.ts';
import type { Preprocessing, Recognition } from './structure/family.ts';
import { FitError } from './structure/fit-error.ts';
import type { FitRequest } from './source/fit-request.ts';
import type { FitSource } from './source/fit-source.ts';
import type { InputSize } from './structure/input-size.ts';
import type { ModelStructure } from './structure/model-structure.ts';
import { chooseOptions, type OptionSpec, type OptionValues } from './structure/options.ts';
import { recogniseFamily, type Candidate } from './registry.ts';

/** A fit before anything is written: everything about it is settled. */
export interface PreparedFit {
  readonly source: FitSource;
  readonly structure: ModelStructure;
  /** the family that is taken, and others that fit */
  readonly candidates: readonly [Candidate, ...Candidate[]];
  readonly size: InputSize;
  readonly optionSpecs: readonly OptionSpec[];
  readonly options: OptionValues;
  readonly preprocessing: Preprocessing;
}

/** @throws FitError; ModelError not-onnx, not-tflite, unsupported-dtype, external-data-missing */
export function prepareFit(bytes: Uint8Array, request: FitRequest): PreparedFit {
  const source = openFitSource(bytes, request);
  // Whoever names a family knows that the model is not as its names say.
  if ((request.family ?? null) === null) source.refuseWhatFits();
  const { structure } = source;
  const candidates = recogniseFamily(structure, request.family ?? null);
  const [{ recognition }] = candidates;
  const size = sizeOf(recognition);
  const usualFeeding = {
    ...feedingOf(recognition, structure),
    ...request.feedingFound?.preprocessing,
    ...request.preprocessing,
  };
  const optionSpecs = [...recognition.options, ...source.letterboxOptions(usualFeeding)];
  const options = chooseOptions(optionSpecs, request.options ?? {});
  const preprocessing = { ...usualFeeding, ...recognition.preprocessingOf?.(options) };
  return { source, structure, candidates, size, optionSpecs, options, preprocessing };
}

/** How a model is to be fed: as its family was, but pixels as the graph's own arithmetic expects them. */
export function feedingOf({ preprocessing }: Recognition, { normalization }: ModelStructure): Preprocessing {
  return normalization ? { ...preprocessing, mean: normalization.mean, stdDev: normalization.stdDev } : preprocessing;
}

function sizeOf({ widthPx, heightPx }: Recognition): InputSize {
  if (widthPx > 0 && heightPx > 0) return { widthPx, heightPx };
  throw new FitError(
    'size-unknown',
    'The model takes pictures of any size and does not say which it was trained on. Give the size, as 640x640.',
  );
}
