import { GraphBuilder } from '../src/models/onnx/edit-model.ts';
import type { TensorDtype } from '../src/machine/vision/tensor/tensor.ts';

/** Small models for tests, built in memory. Their outputs can be computed by hand. */

export interface TinyInput {
  readonly name?: string;
  readonly dtype?: TensorDtype;
  readonly layout?: 'NHWC' | 'NCHW';
  /** null = dynamic, the default */
  readonly heightPx?: number | null;
  readonly widthPx?: number | null;
}

export interface TinyModel {
  readonly input?: TinyInput;
  readonly metadata?: Readonly<Record<string, string>>;
}

export interface FixedDetections {
  /** rows of four numbers, in the order and units that the test needs */
  readonly boxes: readonly (readonly number[])[];
  readonly categories: readonly number[];
  readonly scores: readonly number[];
  /** tensor names; default location, category, score */
  readonly outputNames?: readonly [string, string, string];
}

/** A detector with constant outputs: location [1,N,4], category [1,N], score [1,N], all float32. */
export function fixedDetector({
  input = {},
  metadata = {},
  ...rows
}: TinyModel & FixedDetections): Uint8Array<ArrayBuffer> {
  const build = new GraphBuilder();
  addImage(build, input);
  const [location, category, score] = rows.outputNames ?? ['location', 'category', 'score'];
  const count = rows.scores.length;
  build.output(location, build.floats([1, count, 4], rows.boxes.flat()), 'float32', [1, count, 4]);
  build.output(category, build.floats([1, count], rows.categories), 'float32', [1, count]);
  build.output(score, build.floats([1, count], rows.scores), 'float32', [1, count]);
  return build.build({ graphName: 'fixed-detector', producer: 'sightglass-tests', opset: 18, metadata });
}

/** A classifier with a constant output: probability [1,N], float32. */
export function fixedClassifier({
  input = {},
  metadata = {},
  scores,
}: TinyModel & { readonly scores: readonly number[] }): Uint8Array<ArrayBuffer> {
  const build = new GraphBuilder();
  addImage(build, input);
  const shape = [1, scores.length];
  build.output('probability', build.floats(shape, scores), 'float32', shape);
  return build.build({ graphName: 'fixed-classifier', producer: 'sightglass-tests', opset: 18, metadata });
}

/**
 * A detector for the brightest pixel (largest red + green + blue; the first one in row order). It gives one box (ymin, xmin,
 * ymax, xmax as fractions) around it, with the score brightness / `fullBrightness` (default 765 for uint8, 3 for float32).
 */
export function brightestPixelDetector({
  input = {},
  metadata = {},
  fullBrightness,
}: TinyModel & { readonly fullBrightness?: number } = {}): Uint8Array<ArrayBuffer> {
  const build = new GraphBuilder();
  const image = addImage(build, input);
  const asFloat = build.add('Cast', [image], { to: { int: 1 } });
  const channelAxis = input.layout === 'NCHW' ? 1 : 3;
  const noKeep = { keepdims: { int: 0 } };
  const brightness = build.add('ReduceSum', [asFloat, build.ints([1], [channelAxis])], noKeep); // [1, H, W]
  const size = build.add('Slice', [build.add('Shape', [brightness]), build.ints([1], [1]), build.ints([1], [3])]);
  const width = build.add('Slice', [size, build.ints([1], [1]), build.ints([1], [2])]);
  const index = build.add('ArgMax', [build.add('Reshape', [brightness, build.ints([1], [-1])])], { axis: { int: 0 } });
  const row = build.add('Div', [index, width]);
  const corner = build.add('Concat', [row, build.add('Mod', [index, width])], { axis: { int: 0 } });
  const corners = build.add('Concat', [corner, build.add('Add', [corner, build.ints([1], [1])])], { axis: { int: 0 } });
  const sizes = build.add('Concat', [size, size], { axis: { int: 0 } });
  const toFloat = (tensor: string) => build.add('Cast', [tensor], { to: { int: 1 } });
  const box = build.add('Div', [toFloat(corners), toFloat(sizes)]);
  const full = fullBrightness ?? (input.dtype === 'uint8' ? 765 : 3);
  const score = build.add('Div', [build.add('ReduceMax', [brightness]), build.floats([], [full])]);

  build.output('location', build.add('Reshape', [box, build.ints([3], [1, 1, 4])]), 'float32', [1, 1, 4]);
  build.output('category', build.floats([1, 1], [0]), 'float32', [1, 1]);
  build.output('score', build.add('Reshape', [score, build.ints([2], [1, 1])]), 'float32', [1, 1]);
  return build.build({ graphName: 'brightest-pixel', producer: 'sightglass-tests', opset: 18, metadata });
}

/** A classifier whose output, probability [1,3], is the mean of each input channel, without scaling, in the input's channel order. */
export function channelMeansClassifier({ input = {}, metadata = {} }: TinyModel = {}): Uint8Array<ArrayBuffer> {
  const build = new GraphBuilder();
  const image = addImage(build, input);
  const pixelAxes = input.layout === 'NCHW' ? [2, 3] : [1, 2];
  const asFloat = build.add('Cast', [image], { to: { int: 1 } });
  const means = build.add('ReduceMean', [asFloat, build.ints([2], pixelAxes)], { keepdims: { int: 0 } });
  build.output('probability', means, 'float32', [1, 3]);
  return build.build({ graphName: 'channel-means', producer: 'sightglass-tests', opset: 18, metadata });
}

/** Adds the image input and returns its name. */
export function addImage(build: GraphBuilder, input: TinyInput): string {
  const size = [input.heightPx ?? 'height', input.widthPx ?? 'width'];
  const shape = input.layout === 'NCHW' ? [1, 3, ...size] : [1, ...size, 3];
  return build.input(input.name ?? 'image', input.dtype ?? 'float32', shape);
}
