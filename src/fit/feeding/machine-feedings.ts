import type { TransformStep } from '../../config/machine-config.ts';
import type { PictureSize } from '../../vision/trace.ts';
import { fitModel, type FittedModel } from '../fit-model.ts';
import type { FitRequest } from '../fit-request.ts';
import { feedingOptions } from '../interpretations/fit-options.ts';
import { placedWindow } from './place-picture.ts';
import type { FeedingRecipe } from './recipe.ts';

/** A way in which the machine can feed a model: the file, and the step of the transform camera before it. */
export interface MachineFeeding {
  readonly kind: 'as it is' | 'padding' | 'crop' | 'resize' | 'larger input';
  /** what it is, in words */
  readonly title: string;
  /** as the model is fitted for it */
  readonly request: FitRequest;
  readonly fitted: FittedModel;
  /** null: no step */
  readonly step: TransformStep | null;
}

/** Sides of inputs are multiples of it, as networks halve their pictures five times. */
const sideStep = 32;
const largerBy = 1.5;

/**
 * Lists how the machine can feed a model whose recipe is known: stretched, as it does by itself, and what comes nearer to the recipe. The first is the
 * machine's own feeding, with the recipe's colours and values, which a configuration says.
 * @param source an ONNX or TensorFlow Lite file
 * @param request as the model was fitted for the search
 * @param recipe how the model was fed in training
 * @param frame size of the camera's frames, in pixels
 * @returns the machine's own first
 * @throws FitError; ModelError not-onnx, not-tflite, unsupported-dtype, external-data-missing
 * @example
 * machineFeedings(Uint8Array.of(1), {}, { bgr: false, meanValue: [0, 0, 0], stdDev: [1, 1, 1] }, {}); // throws: Error
 */
export function machineFeedings(
  source: Uint8Array,
  request: FitRequest,
  recipe: FeedingRecipe,
  frame: PictureSize,
): readonly MachineFeeding[] {
  const fed = withColours(source, request, recipe);
  const has = (option: string) => fed.fitted.optionSpecs.some(({ key }) => key === option);
  const stretched = has('letterbox')
    ? { ...fed.request, options: { ...fed.request.options, letterbox: 'stretch' } }
    : fed.request;
  const own = { request: stretched, fitted: fitModel(source, stretched), step: null };
  const { placing, resampler } = recipe;
  const feedings: MachineFeeding[] = [{ ...own, kind: 'as it is', title: 'The machine’s own feeding: stretched' }];
  if (placing.kind === 'letterbox' && has('letterbox')) {
    const padding = { ...fed.request, options: { ...fed.request.options, letterbox: 'pad' }, frameSize: frame };
    const title = 'The border, written into the model’s graph';
    feedings.push({ kind: 'padding', title, request: padding, fitted: fitModel(source, padding), step: null });
  }
  const size = own.fitted.inputSize;
  if (placing.kind === 'crop')
    feedings.push({ ...own, kind: 'crop', title: 'A crop step that cuts the middle out', step: cropOf(recipe, frame, size) }); // prettier-ignore
  if (placing.kind === 'stretch' && resampler.endsWith('nearest'))
    feedings.push({ ...own, kind: 'resize', title: 'A resize step, which takes the nearest pixel', step: { type: 'resize', attributes: size } }); // prettier-ignore
  const larger = largerInput(source, stretched, size);
  return larger ? [...feedings, larger] : feedings;
}

/** The recipe's colours, values and border, as a fit takes them. */
function withColours(source: Uint8Array, request: FitRequest, recipe: FeedingRecipe) {
  const three = ([a, b, c]: readonly number[]) => [a!, b!, c!] as const;
  const { placing, bgr, meanValue, stdDev } = recipe;
  const letterbox = placing.kind === 'letterbox' ? { border: placing.border, at: placing.at } : null;
  const preprocessing = {
    colour: bgr ? ('bgr' as const) : ('rgb' as const),
    mean: three(meanValue),
    stdDev: three(stdDev),
    ...(letterbox && { letterbox }),
  };
  const asked = { ...request, preprocessing: { ...request.preprocessing, ...preprocessing } };
  const fitted = fitModel(source, asked);
  const isByOptions = fitted.optionSpecs.some(({ key }) => key === 'values');
  if (!isByOptions) return { request: asked, fitted };
  const options = feedingOptions({ bgr, meanValue, stdDev, fit: 'stretch' });
  const byOptions = { ...asked, options: { ...options, ...asked.options } };
  return { request: byOptions, fitted: fitModel(source, byOptions) };
}

/** The part of the frame that the recipe shows, in shares of it, which a step takes for frames of any size. */
function cropOf({ placing }: FeedingRecipe, frame: PictureSize, input: PictureSize): TransformStep {
  const { widthPx, heightPx, leftPx, topPx } = placedWindow(placing, frame, input);
  const share = (place: number, size: number) => Math.min(1, Math.max(0, place / size));
  return {
    type: 'crop',
    attributes: {
      xMin: share(-leftPx, widthPx),
      yMin: share(-topPx, heightPx),
      xMax: share(input.widthPx - leftPx, widthPx),
      yMax: share(input.heightPx - topPx, heightPx),
      overlayCropBox: false,
    },
  };
}

/** null: the model's input has one size */
function largerInput(
  source: Uint8Array,
  request: FitRequest,
  { widthPx, heightPx }: PictureSize,
): MachineFeeding | null {
  const side = (px: number) => sideStep * Math.round((largerBy * px) / sideStep);
  const inputSize = { widthPx: side(widthPx), heightPx: side(heightPx) };
  const larger = { ...request, inputSize };
  const fitted = fitModel(source, larger);
  if (fitted.inputSize.widthPx !== inputSize.widthPx || fitted.inputSize.heightPx !== inputSize.heightPx) return null;
  const title = `A larger input, ${inputSize.widthPx}×${inputSize.heightPx}`;
  return { kind: 'larger input', title, request: larger, fitted, step: null };
}
