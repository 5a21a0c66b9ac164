import type { KnownAnswer } from '../solver/known-answer.ts';
import type { Outputs } from '../../../machine/vision/face/results.ts';
import type { Frame } from '../../../machine/vision/face/frames.ts';
import type { InferenceSession } from '../../../machine/vision/face/inference.ts';
import { infer, type InferencePorts } from '../../../machine/vision/face/runs.ts';
import type { InputSpec } from '../../../machine/vision/face/feeding.ts';
import type { PictureSize } from '../../../machine/vision/face/traces.ts';
import type { BoxRows, InferenceSizes } from '../interpretations/box-rows.ts';
import { outOfWindow } from '../interpretations/letterbox-kernel.ts';
import { missOfBoxes, missOfClass, type Digits, type ExpectedThing, type Miss } from './expected.ts';
import { placedWindow, placePicture } from './place-picture.ts';
import type { FeedingRecipe } from './recipe.ts';
import { packed, rasterOf } from './pack-raster.ts';
import { resample } from './resize/resample.ts';
import type { Raster } from './resize/raster.ts';

/** A picture, and what is expected of the model on it. */
export interface ExpectedPicture {
  readonly frame: Frame;
  /** one or more; of a classifier one */
  readonly expected: readonly ExpectedThing[];
  /** things that are there and do not count: what a model finds on them is not false */
  readonly ignored?: readonly KnownAnswer[];
  readonly digits: Digits;
}

/** How a model's outputs are read: boxes 0..1 of its input, or one probability a class; null: they are others. */
export type OutputReader =
  | { readonly kind: 'detections'; readonly read: (outputs: Outputs, sizes: InferenceSizes) => BoxRows | null }
  | { readonly kind: 'classifications'; readonly read: (outputs: Outputs) => ArrayLike<number> | null };

/** A model, and how it is fed but for what a recipe says. */
export interface FedModel {
  readonly session: InferenceSession;
  readonly input: InputSpec;
  readonly reader: OutputReader;
}

/** Runs pictures by recipes; a picture that two recipes make alike is run once. */
export class RecipeRuns {
  readonly #model: FedModel;
  readonly #pictures: readonly ExpectedPicture[];
  readonly #ports: InferencePorts;
  readonly #rasters: readonly Raster[];
  readonly #misses = new Map<string, Promise<Miss>>();
  readonly #placed = new Kept<{ readonly raster: Raster; readonly hash: number }>(16);
  /** Several placings need the picture in the same size: they differ in their border or offset. */
  readonly #resized = new Kept<Raster>(8);
  /** how often the model ran */
  count = 0;

  constructor(model: FedModel, pictures: readonly ExpectedPicture[], ports: InferencePorts) {
    this.#model = model;
    this.#pictures = pictures;
    this.#ports = ports;
    this.#rasters = pictures.map(({ frame }) => rasterOf(frame));
  }

  /**
   * How far a picture fed by a recipe lies from what is expected of it.
   * @throws InferenceError
   */
  miss(recipe: FeedingRecipe, picture: number): Promise<Miss> {
    const { bgr, meanValue, stdDev } = recipe;
    const { frame } = this.#pictures[picture]!;
    const size = inputSizeOf(this.#model.input, frame);
    const window = placedWindow(recipe.placing, frame, size);
    const { raster, hash } = this.#placedBy(recipe, picture, size);
    const key = JSON.stringify([picture, window, hash, bgr, meanValue, stdDev]);
    const known = this.#misses.get(key);
    if (known) return known;
    const running = this.#run(raster, recipe, picture);
    this.#misses.set(key, running);
    return running;
  }

  async #run(raster: Raster, recipe: FeedingRecipe, picture: number): Promise<Miss> {
    const { frame, expected, digits } = this.#pictures[picture]!;
    this.count++;
    const { rows, classes } = await seenByRecipe(this.#model, recipe, frame, this.#ports, raster);
    if (this.#model.reader.kind === 'detections') return missOfBoxes(rows ?? noRows, expected, digits);
    return missOfClass(classes?.[expected[0]!.category] ?? 0, expected[0]!, digits);
  }

  #placedBy({ resampler, placing }: FeedingRecipe, picture: number, size: PictureSize) {
    const key = JSON.stringify([picture, resampler, placing]);
    return this.#placed.get(key, () => {
      const resize: typeof resample = (source, ...to) =>
        this.#resized.get(JSON.stringify([picture, ...to]), () => resample(source, ...to));
      const raster = placePicture(this.#rasters[picture]!, { resampler, placing }, size, resize);
      return { raster, hash: hashOf(raster) };
    });
  }
}

/** The last few things that were made, by name. */
class Kept<T> {
  readonly #most: number;
  readonly #made = new Map<string, T>();

  constructor(most: number) {
    this.#most = most;
  }

  get(name: string, make: () => T): T {
    const known = this.#made.get(name) ?? make();
    // The newest lies last.
    this.#made.delete(name);
    this.#made.set(name, known);
    if (this.#made.size > this.#most) this.#made.delete(this.#made.keys().next().value!);
    return known;
  }
}

/** What a model says of a picture: boxes on it, 0..1, or one probability a class; null: its outputs are others. */
export interface SeenPicture {
  readonly rows: BoxRows | null;
  readonly classes: ArrayLike<number> | null;
}

/**
 * Runs a picture that is fed by a recipe.
 * @param model the model, and how its outputs are read
 * @param recipe how it is fed
 * @param frame the picture
 * @param ports queue and clock
 * @param raster of `placePicture`, where it is made already
 * @returns what the model says of it
 * @throws InferenceError
 * @example
 * await seenByRecipe({ input: {} }, {}, {}, {}); // throws: Error
 */
export async function seenByRecipe(
  { session, input, reader }: FedModel,
  recipe: FeedingRecipe,
  frame: Frame,
  ports: InferencePorts,
  raster: Raster = placePicture(rasterOf(frame), recipe, inputSizeOf(input, frame)),
): Promise<SeenPicture> {
  const three = ([a, b, c]: readonly number[]) => [a!, b!, c!] as const;
  const spec = { ...input, bgr: recipe.bgr, mean: three(recipe.meanValue), stdDev: three(recipe.stdDev) };
  const stretchKernel = { stretchToTensor: () => packed(raster, spec) };
  const run = await infer(frame, { session, input: spec }, { ...ports, stretchKernel });
  if (reader.kind === 'classifications') return { rows: null, classes: reader.read(run.outputs) };
  const size = inputSizeOf(input, frame);
  const rows = reader.read(run.outputs, run);
  return { rows: rows && outOfWindow(rows, placedWindow(recipe.placing, frame, size), size), classes: null };
}

/** A dynamic size is that of the frame. */
function inputSizeOf({ widthPx, heightPx }: InputSpec, frame: PictureSize): PictureSize {
  return { widthPx: widthPx ?? frame.widthPx, heightPx: heightPx ?? frame.heightPx };
}

const noRows: BoxRows = {
  count: 0,
  box: new Float64Array(),
  score: new Float64Array(),
  category: new Float64Array(),
  classCount: null,
  space: 'proportional',
  firstBoxSum: 0,
};

/** FNV-1a over the samples, four bytes at a time, in 53 bits: that two pictures share it by chance is no matter of concern. */
function hashOf({ samples }: Raster): number {
  const { buffer, byteOffset, byteLength } = samples;
  const whole = byteLength >>> 2;
  const words = new Uint32Array(byteOffset % 4 === 0 ? buffer : samples.slice().buffer, byteOffset % 4 === 0 ? byteOffset : 0, whole); // prettier-ignore
  const rest = new Uint8Array(buffer, byteOffset + 4 * whole, byteLength - 4 * whole);
  let [low, high] = [0x811c9dc5, 0x1000193];
  for (const part of [words, rest]) {
    for (let at = 0; at < part.length; at++) {
      const word = part[at]!;
      low = Math.imul(low ^ word, 0x01000193);
      low ^= low >>> 15;
      high = Math.imul(high + word, 0x85ebca6b) ^ (high >>> 13);
    }
  }
  return (low >>> 0) * 2 ** 21 + (high >>> 11);
}
