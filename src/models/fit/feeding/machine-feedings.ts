import type { TransformStep } from '../../../machine/config/face/machine-config.ts';
import type { PictureSize } from '../../../machine/vision/face/traces.ts';
import { asSigned } from '../../../machine/vision/face/feeding.ts';
import { fitModel, type FitRequest, type FittedModel } from '../face/fitting.ts';
import { feedingOptions } from '../interpretations/fit-options.ts';
import { isSameRange } from '../interpretations/input-interpretations.ts';
import { feedingWords, type ChosenFeeding } from '../solver/rank-feedings.ts';
import type { Colours } from './list-recipes.ts';
import { placedWindow } from './place-picture.ts';
import type { FeedingRecipe } from './recipe.ts';

/** A way in which the machine can feed a model: the file, what its vision service says, and the step of the transform camera before it. */
export interface MachineFeeding {
  readonly kind: 'as it is' | 'colours' | 'padding' | 'crop' | 'resize' | 'larger input';
  /** the way in words */
  readonly title: string;
  /** the file that the machine runs */
  readonly model: Uint8Array<ArrayBuffer>;
  /** the fit of the model for this way; null: its file stays as it is */
  readonly fit: { readonly request: FitRequest; readonly fitted: FittedModel } | null;
  /** colours by the vision service's attributes */
  readonly fed: Colours;
  /** null: no step */
  readonly step: TransformStep | null;
}

/** A model that the machine takes as it is, and how a service feeds it. */
export interface ReadyModel {
  readonly model: Uint8Array<ArrayBuffer>;
  readonly fed: Colours;
  /** bytes have no range */
  readonly dtype: 'uint8' | 'float32';
  /** size of the model's input, in pixels; null: it takes frames of any size */
  readonly input: PictureSize | null;
}

/** Sides of inputs are multiples of it, as networks halve their pictures five times. */
const sideStep = 32;
const largerBy = 1.5;

const padTitle = 'The border, written into the model’s graph';

/**
 * Lists how the machine can feed a model that has to be fitted for it, and whose recipe is known: stretched, as it does by itself, and what comes nearer
 * to the recipe. The first is the machine's own feeding, with the recipe's colours and values, which a configuration says.
 * @param source an ONNX or TensorFlow Lite file
 * @param request as the model was fitted for the search
 * @param recipe how the model was fed in training
 * @param frame size of the camera's frames, in pixels
 * @returns the machine's own first
 * @throws FitError; ModelError not-onnx, not-tflite, unsupported-dtype, external-data-missing
 * @example
 * machineFeedings(Uint8Array.of(1), {}, { placing: {}, bgr: false, meanValue: [0, 0, 0], stdDev: [1, 1, 1] }, {}); // throws: Error
 */
export function machineFeedings(
  source: Uint8Array,
  request: FitRequest,
  recipe: FeedingRecipe,
  frame: PictureSize,
): readonly MachineFeeding[] {
  const known = withColours(source, request, recipe);
  const has = (option: string) => known.fitted.optionSpecs.some(({ key }) => key === option);
  const stretched = has('letterbox')
    ? { ...known.request, options: { ...known.request.options, letterbox: 'stretch' } }
    : known.request;
  const own = fittedFeeding('as it is', 'The machine’s own feeding: stretched', source, stretched);
  const size = own.fit!.fitted.inputSize;
  const padding = { ...known.request, options: { ...known.request.options, letterbox: 'pad' }, frameSize: frame };
  return [
    own,
    ...(recipe.placing.kind === 'letterbox' && has('letterbox') ? [fittedFeeding('padding', padTitle, source, padding)] : []), // prettier-ignore
    ...withSteps(own, recipe, frame, size),
    ...largerInput(source, stretched, size),
  ];
}

/**
 * Lists how the machine can feed a model that it takes as it is, and whose recipe is known: as a service feeds it now, and what comes nearer to the recipe.
 * @param ready the model, and how it is fed now
 * @param recipe how the model was fed in training
 * @param frame size of the camera's frames, in pixels
 * @returns the present one first
 * @throws ModelError unsupported-dtype, external-data-missing
 * @example
 * const fed = { bgr: false, meanValue: [0, 0, 0], stdDev: [1, 1, 1] };
 * const recipe = { ...fed, bgr: true, resampler: 'opencv linear', placing: { kind: 'stretch' } };
 * const ready = { model: Uint8Array.of(1), fed, dtype: 'float32', input: null };
 * readyFeedings(ready, recipe, { widthPx: 4, heightPx: 2 }).map(({ kind }) => kind); // => ['as it is', 'colours']
 */
export function readyFeedings(
  { model, fed, dtype, input }: ReadyModel,
  recipe: FeedingRecipe,
  frame: PictureSize,
): readonly MachineFeeding[] {
  const { bgr, meanValue, stdDev, placing } = recipe;
  const own = { kind: 'as it is', title: 'The machine’s own feeding, as it is configured', model, fit: null, fed, step: null } as const; // prettier-ignore
  const isFedSo = bgr === fed.bgr && (dtype === 'uint8' || isSameRange(fed, recipe));
  const mended = isFedSo ? own : { ...own, kind: 'colours' as const, title: `The recipe’s colours and values: ${feedingWords({ ...recipe, fit: 'stretch' })}`, fed: { bgr, meanValue, stdDev } }; // prettier-ignore
  return [
    own,
    ...(isFedSo ? [] : [mended]),
    ...(placing.kind === 'letterbox' && input ? padded(model, recipe, frame) : []),
    ...(input ? withSteps(mended, recipe, frame, input) : []),
  ];
}

function fittedFeeding(
  kind: MachineFeeding['kind'],
  title: string,
  source: Uint8Array,
  request: FitRequest,
): MachineFeeding {
  const fitted = fitModel(source, request);
  const { input_image_mean_value: mean, input_image_std_dev: stdDev, input_image_bgr: bgr } =
    fitted.configuration.services[1].attributes; // prettier-ignore
  const fed = { bgr: bgr ?? false, meanValue: mean ?? asSigned.mean, stdDev: stdDev ?? asSigned.stdDev };
  return { kind, title, model: fitted.model, fit: { request, fitted }, fed, step: null };
}

/** Only a model that was fitted before can get a border: where the graph of another one reads pixels is not known. */
function padded(model: Uint8Array, recipe: FeedingRecipe, frame: PictureSize): readonly MachineFeeding[] {
  const options = { letterbox: 'pad' };
  const request = { family: 'fitted', options, feedingFound: foundFeeding(recipe), frameSize: frame };
  return whereFitted(() => fittedFeeding('padding', padTitle, model, request));
}

/** []: the model cannot be fitted so */
function whereFitted(fit: () => MachineFeeding): readonly MachineFeeding[] {
  try {
    return [fit()];
  } catch (error) {
    if ((error as Error).name === 'FitError') return [];
    throw error;
  }
}

/** The same feeding behind a step of the camera that comes nearer to the recipe. */
function withSteps(
  own: MachineFeeding,
  { placing, resampler }: FeedingRecipe,
  frame: PictureSize,
  { widthPx, heightPx }: PictureSize,
): readonly MachineFeeding[] {
  if (placing.kind === 'crop')
    return [{ ...own, kind: 'crop', title: 'A crop step that cuts the middle out', step: cropOf(placing, frame, { widthPx, heightPx }) }]; // prettier-ignore
  if (placing.kind === 'stretch' && resampler.endsWith('nearest'))
    return [{ ...own, kind: 'resize', title: 'A resize step, which takes the nearest pixel', step: { type: 'resize', attributes: { widthPx, heightPx } } }]; // prettier-ignore
  return [];
}

/** The recipe's colours, values and border, as a fit takes them. */
function withColours(source: Uint8Array, request: FitRequest, recipe: FeedingRecipe) {
  const asked = { ...request, feedingFound: foundFeeding(recipe) };
  const fitted = fitModel(source, asked);
  const isByOptions = fitted.optionSpecs.some(({ key }) => key === 'values');
  if (!isByOptions) return { request: asked, fitted };
  const byOptions = { ...asked, options: { ...feedingOptions({ ...recipe, fit: 'stretch' }), ...asked.options } };
  return { request: byOptions, fitted: fitModel(source, byOptions) };
}

function foundFeeding({ placing, bgr, meanValue, stdDev }: FeedingRecipe): ChosenFeeding {
  const three = ([a, b, c]: readonly number[]) => [a!, b!, c!] as const;
  const letterbox = placing.kind === 'letterbox' ? { border: placing.border, at: placing.at } : null;
  return {
    preprocessing: {
      colour: bgr ? 'bgr' : 'rgb',
      mean: three(meanValue),
      stdDev: three(stdDev),
      ...(letterbox && { letterbox }),
    },
    why: `It is fed ${feedingWords({ bgr, meanValue, stdDev, fit: 'stretch' })}: pictures with known boxes or classes say so.`,
    isSure: true,
  };
}

/** The part of the frame that the recipe shows, in shares of it, which a step takes for frames of any size. */
function cropOf(placing: FeedingRecipe['placing'], frame: PictureSize, input: PictureSize): TransformStep {
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

/** []: the model's input has one size */
function largerInput(
  source: Uint8Array,
  request: FitRequest,
  { widthPx, heightPx }: PictureSize,
): readonly MachineFeeding[] {
  const side = (px: number) => sideStep * Math.round((largerBy * px) / sideStep);
  const inputSize = { widthPx: side(widthPx), heightPx: side(heightPx) };
  const title = `A larger input, ${inputSize.widthPx}×${inputSize.heightPx}`;
  const isSo = ({ fit }: MachineFeeding) => fit!.fitted.inputSize.widthPx === inputSize.widthPx && fit!.fitted.inputSize.heightPx === inputSize.heightPx; // prettier-ignore
  return whereFitted(() => fittedFeeding('larger input', title, source, { ...request, inputSize })).filter(isSo);
}
