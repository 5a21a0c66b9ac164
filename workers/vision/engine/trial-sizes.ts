import { type ModelSummary, statedSizes } from '../../../src/machine/vision/face/inference.ts';
import { InferenceError } from '../../../src/machine/vision/face/errors.ts';
import type { PictureSize } from '../../../src/machine/vision/face/traces.ts';

/** An input size to try a model at, and its origin in words. */
export interface TrialSize extends PictureSize {
  readonly why: string;
}

/**
 * The sizes at which a model may be tried, the frame's own first: the machine feeds that one if the model leaves a
 * side open. Networks that halve and double their picture accept only multiples of their stride, 32 or 64, and
 * exporters write the training size into the metadata.
 */
export function trialSizes(
  { inputs, metadata }: Pick<ModelSummary, 'inputs' | 'metadata'>,
  frame: PictureSize,
): readonly TrialSize[] {
  const own = { widthPx: frame.widthPx, heightPx: frame.heightPx, why: 'the frame as it is' };
  const sides = inputs[0]?.shape.slice(1) ?? [];
  if (!sides.includes(-1)) return [own];
  const multiples = [32, 64].map((stride) => ({
    widthPx: Math.ceil(frame.widthPx / stride) * stride,
    heightPx: Math.ceil(frame.heightPx / stride) * stride,
    why: `sides that are multiples of ${stride}`,
  }));
  const squares = [32, 64].map((side) => ({ widthPx: side, heightPx: side, why: 'a small square' }));
  const stated = statedSizes(metadata).map(({ key, widthPx, heightPx }) => ({
    widthPx,
    heightPx,
    why: `${key} of the model's metadata`,
  }));
  const sizes = [own, ...multiples, ...stated, ...squares];
  return sizes.filter(
    (size, at) =>
      sizes.findIndex(({ widthPx, heightPx }) => widthPx === size.widthPx && heightPx === size.heightPx) === at,
  );
}

/** Whether a model that refused one size may accept another. */
export function mayTakeAnotherSize(error: unknown): boolean {
  return error instanceof InferenceError && (error.code === 'shape-mismatch' || error.code === 'runtime');
}

/** The note on a model that does not accept frames at their own size. */
export function sizeNote(inputName: string, isChannelsFirst: boolean, frame: PictureSize, taken: TrialSize): string {
  const { widthPx, heightPx, why } = taken;
  const shape = isChannelsFirst ? `1,3,${heightPx},${widthPx}` : `1,${heightPx},${widthPx},3`;
  return (
    `The model leaves the size of its picture open, but refuses ${frame.widthPx}×${frame.heightPx}; it takes ` +
    `${widthPx}×${heightPx} (${why}). The machine feeds frames as they are, and first of all one of 5×5, so it will find no ` +
    'ability: fix the size in the file, with python -m onnxruntime.tools.make_dynamic_shape_fixed ' +
    `--input_name ${inputName} --input_shape ${shape} model.onnx fixed.onnx.`
  );
}
