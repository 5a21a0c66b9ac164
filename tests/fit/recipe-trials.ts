import type { BoxRows } from '../../src/models/fit/interpretations/box-rows.ts';
import { feedingsToTry } from '../../src/models/fit/solver/feedings-to-try.ts';
import type { ExpectedThing } from '../../src/models/fit/feeding/expected.ts';
import { placings } from '../../src/models/fit/feeding/list-recipes.ts';
import type { FeedingRecipe } from '../../src/models/fit/feeding/recipe.ts';
import { rasterOf } from '../../src/models/fit/feeding/pack-raster.ts';
import { seenByRecipe, type ExpectedPicture, type FedModel } from '../../src/models/fit/feeding/recipe-runs.ts';
import { resamplers } from '../../src/models/fit/feeding/resize/resample.ts';
import { searchRecipes, type FoundRecipes } from '../../src/models/fit/feeding/search-recipes.ts';
import type { Raster } from '../../src/models/fit/feeding/resize/raster.ts';
import type { Frame } from '../../src/machine/vision/frame/frame.ts';
import type { InferenceSession } from '../../src/machine/vision/inference/inference-session.ts';
import { asUnits } from '../../src/machine/vision/preprocess/normalizations.ts';
import type { Outputs } from '../../src/machine/vision/decode/outputs.ts';
import { fixedSession } from '../fixed-session.ts';
import { randomSource } from '../random-frame.ts';
import { inputSpec } from '../../src/machine/vision/preprocess/input-spec.ts';
import type { Tensor } from '../../src/machine/vision/tensor/tensor.ts';

/** A detector whose own feeding is known. */
export interface TrialModel extends FedModel {
  /** RGB or BGR, and the values that it was made for */
  readonly own: Pick<FeedingRecipe, 'bgr' | 'meanValue' | 'stdDev'>;
}

const [side, classCount] = [64, 3];
const strides = [8, 16, 32];

/**
 * A detector of random weights, as `seeingYoloV8`, whose boxes and scores hang on all pixels of a picture of 0..1. It is computed here: a search runs it
 * hundreds of times.
 */
export function trialModel(): TrialModel {
  const random = randomSource(3);
  const mixture = (strength: number) => [0, 1, 2].map(() => (random() - 0.5) * strength);
  const [boxes, classes] = [[8, 8, 8, 8].map(mixture), [20, 20, 20].map(mixture)];
  const own = { bgr: false, meanValue: asUnits.mean, stdDev: asUnits.stdDev };
  const run: InferenceSession['run'] = async ({ image }) => {
    const cells = strides.flatMap((stride) => meansOf(image!, stride));
    const of = (weights: readonly (readonly number[])[]) =>
      cells.flatMap((mean) => weights.map((weight) => 1 / (1 + Math.exp(-weight.reduce((sum, w, k) => sum + w * mean[k]!, 0))))); // prettier-ignore
    return {
      boxes: { dtype: 'float32', shape: [cells.length, 4], data: Float32Array.from(of(boxes)) },
      scores: { dtype: 'float32', shape: [cells.length, classCount], data: Float32Array.from(of(classes)) },
    };
  };
  const inputs = [{ name: 'image', dtype: 'float32' as const, shape: [1, 3, side, side], symbols: [] }];
  const input = inputSpec(inputs, { remapInputNames: {}, meanValue: [...own.meanValue], stdDev: [...own.stdDev], bgr: false }); // prettier-ignore
  const session = { ...fixedSession(inputs[0]!, () => ({}), ['boxes', 'scores']), run };
  return { session, input, own, reader: { kind: 'detections', read: rowsOf } };
}

/** The mean colours of a picture's squares. */
function meansOf({ data }: Tensor, stride: number): number[][] {
  const across = side / stride;
  return Array.from({ length: across ** 2 }, (_, cell) =>
    [0, 1, 2].map((channel) => {
      let sum = 0;
      const first = channel * side ** 2 + Math.floor(cell / across) * stride * side + (cell % across) * stride;
      for (let y = 0; y < stride; y++) for (let x = 0; x < stride; x++) sum += Number(data[first + y * side + x]);
      return sum / stride ** 2;
    }),
  );
}

/** Boxes as centre and size, the best class of each. */
function rowsOf(outputs: Outputs): BoxRows {
  const [boxes, scores] = [outputs.get('boxes')!.data as Float32Array, outputs.get('scores')!.data as Float32Array];
  const count = boxes.length / 4;
  const rows = { box: new Float64Array(4 * count), score: new Float64Array(count), category: new Float64Array(count) };
  for (let row = 0; row < count; row++) {
    const [x, y, width, height] = boxes.subarray(4 * row) as unknown as [number, number, number, number];
    rows.box.set([x - width / 2, y - height / 2, x + width / 2, y + height / 2], 4 * row);
    const of = Array.from(scores.subarray(classCount * row, classCount * (row + 1)));
    rows.score[row] = Math.max(...of);
    rows.category[row] = of.indexOf(rows.score[row]!);
  }
  return { count, ...rows, classCount, space: 'proportional', firstBoxSum: 0 };
}

const colours = feedingsToTry({ bgr: false, meanValue: asUnits.mean, stdDev: asUnits.stdDev, fit: 'stretch' }, 'float32', false); // prettier-ignore

/** One of all recipes that are searched. */
export function randomRecipe(random: () => number): FeedingRecipe {
  const one = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!;
  // Letterboxes are many, as they have borders and roundings: each kind comes as often as the others.
  const kind = one(['stretch', 'letterbox', 'crop'] as const);
  const { bgr, meanValue, stdDev } = one(colours);
  return { resampler: one(resamplers), placing: one(placings.filter((placing) => placing.kind === kind)), bgr, meanValue, stdDev }; // prettier-ignore
}

/** The model as it would be, had it been trained with a recipe's colours and values. */
function trainedWith({ own, ...model }: TrialModel, recipe: FeedingRecipe): FedModel {
  const { session, input } = model;
  const changed = (tensor: Tensor): Tensor => {
    const pixels = tensor.data.length / 3;
    const [channelStep, pixelStep] = input.layout === 'nchw' ? [pixels, 1] : [1, 3];
    const data = new Float32Array(tensor.data.length);
    for (let to = 0; to < 3; to++) {
      const from = recipe.bgr === own.bgr ? to : 2 - to;
      for (let pixel = 0; pixel < pixels; pixel++) {
        const value = Number(tensor.data[from * channelStep + pixel * pixelStep]) * recipe.stdDev[from]! + recipe.meanValue[from]!; // prettier-ignore
        data[to * channelStep + pixel * pixelStep] = (value - own.meanValue[to]!) / own.stdDev[to]!;
      }
    }
    return { ...tensor, data };
  };
  const run: InferenceSession['run'] = (feeds) =>
    session.run(Object.fromEntries(Object.entries(feeds).map(([name, tensor]) => [name, changed(tensor)])));
  return { ...model, session: { ...session, inputs: session.inputs, outputs: session.outputs, run } };
}

const ports = { stretchKernel: { stretchToTensor: () => { throw new Error('Recipes make their own tensors.'); } }, turn: <T>(task: () => Promise<T>) => task(), nowMs: () => 0 }; // prettier-ignore

const inTenths = (value: number) => Math.round(value * 10) / 10;
const inThousandths = (value: number) => Math.round(value * 1000) / 1000;
const mostThings = 5;
const leastScore = 0.25;

/** What a model says of a picture that it is fed by a recipe, as a trainer prints it: boxes to a tenth of a pixel, scores to a thousandth. */
async function printed(model: FedModel, recipe: FeedingRecipe, frame: Frame): Promise<ExpectedPicture> {
  const rows = (await seenByRecipe(model, recipe, frame, ports)).rows!;
  const order = Array.from(rows.score.keys()).sort((a, b) => rows.score[b]! - rows.score[a]!);
  const expected = order.slice(0, mostThings).flatMap((row): ExpectedThing[] => {
    const [xMin, yMin, xMax, yMax] = Array.from(rows.box.subarray(4 * row, 4 * row + 4), (side, at) => {
      const length = at % 2 === 0 ? frame.widthPx : frame.heightPx;
      return inTenths(side * length) / length;
    });
    const score = inThousandths(rows.score[row]!);
    return score < leastScore ? [] : [{ category: rows.category[row]!, box: [xMin!, yMin!, xMax!, yMax!], score }];
  });
  const half = 0.0501;
  return { frame, expected, digits: { box: [half / frame.widthPx, half / frame.heightPx], score: 0.000501 } };
}

export interface RecipeTrial {
  readonly recipe: FeedingRecipe;
  readonly found: FoundRecipes;
  /** the recipe is the one that was found, or one of those that are said to be alike */
  readonly isFound: boolean;
}

/**
 * Searches for a recipe from what the model says of one picture; null: it finds nothing on it. `trained` is what of that picture reached the model
 * where it was trained, such as other samples of another JPEG decoder.
 */
export async function tryRecipe(
  model: TrialModel,
  recipe: FeedingRecipe,
  frame: Frame,
  trained = (fed: Frame) => fed,
): Promise<RecipeTrial | null> {
  const fed = trainedWith(model, recipe);
  const picture = await printed(fed, recipe, trained(frame));
  if (picture.expected.length === 0) return null;
  const search = { model: fed, pictures: [{ ...picture, frame }], colours, ports };
  const found = await searchRecipes({ ...search, onProgress: () => undefined, signal: new AbortController().signal });
  const wanted = JSON.stringify(recipe);
  return { recipe, found, isFound: found.alike.some((one) => JSON.stringify(sameOrder(one.recipe)) === wanted) };
}

const sameOrder = ({ resampler, placing, bgr, meanValue, stdDev }: FeedingRecipe) => ({ resampler, placing, bgr, meanValue, stdDev }); // prettier-ignore

/** A part of one of the photographs, 90 to 200 pixels a side. */
export function randomPart(photographs: readonly Frame[], random: () => number): Frame {
  const photograph = photographs[Math.floor(random() * photographs.length)]!;
  const side = () => 90 + Math.floor(110 * random());
  const [width, height] = [side(), side()];
  const place = (whole: number, part: number) => Math.floor(random() * (whole - part));
  return partOf(photograph, place(photograph.widthPx, width), place(photograph.heightPx, height), width, height);
}

function partOf(frame: Frame, leftPx: number, topPx: number, widthPx: number, heightPx: number): Frame {
  const { widthPx: width, samples }: Raster = rasterOf(frame);
  const into = new Uint8ClampedArray(4 * widthPx * heightPx).fill(255);
  for (let y = 0; y < heightPx; y++)
    for (let x = 0; x < widthPx; x++)
      for (let k = 0; k < 3; k++)
        into[4 * (y * widthPx + x) + k] = samples[3 * ((y + topPx) * width + x + leftPx) + k]!;
  return { format: 'rgba8', widthPx, heightPx, samples: into };
}
