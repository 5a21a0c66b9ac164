import type { NewTensor, TfliteEditor } from '../../tflite/edit-model.ts';
import type { Letterbox, Preprocessing } from '../structure/family.ts';
import { FitError } from '../structure/fit-error.ts';
import type { FitRequest } from '../source/fit-request.ts';
import type { InputSize } from '../structure/input-size.ts';
import { hasBorder, letterboxWindow, type LetterboxWindow } from '../../../machine/vision/face/feeding.ts';
import type { Picture } from '../structure/model-structure.ts';
import { sidesOf, type OptionSpec, type OptionValues } from '../structure/options.ts';
import type { TfliteWriter } from './tflite-writer.ts';

/** A picture of the camera's proportions, and the border that makes the network's input of it. */
export interface Padding {
  readonly window: LetterboxWindow;
  /** size of the network's input */
  readonly size: InputSize;
  readonly layout: Picture['layout'];
  readonly letterbox: Letterbox;
  /** mean of each channel, by which the border's byte becomes a network's float */
  readonly mean: readonly number[];
  readonly stdDev: readonly number[];
}

/**
 * The interpreter has one size of input, so a file pads frames of one shape: the camera's, as it is said or as it is on show. Nothing says it of a
 * file alone, and then frames are stretched.
 */
export function tfliteLetterboxOptions(
  { letterbox }: Preprocessing,
  { frameSize, options }: Pick<FitRequest, 'frameSize' | 'options'>,
): readonly OptionSpec[] {
  if (letterbox === null) return [];
  const isSaid = (frameSize ?? null) !== null || options?.['frame'] !== undefined;
  return [
    {
      kind: 'choice',
      key: 'letterbox',
      about:
        'pad: the file takes pictures of the camera’s shape, and the graph adds the border of training around them; stretch: the machine stretches every frame to the network’s input.',
      choices: ['pad', 'stretch'],
      usual: isSaid ? 'pad' : 'stretch',
    },
    {
      kind: 'numbers',
      key: 'frame',
      about:
        'Width and height of the camera’s frames, in pixels or as a ratio. A frame of another shape is stretched to this one.',
      least: 1,
      most: 100_000,
      areSides: true,
      usual: frameSize ? `${frameSize.widthPx}x${frameSize.heightPx}` : '16x9',
    },
  ];
}

/** The padding that options ask for; null: none, or nothing is left to pad. */
export function paddingOf(
  options: OptionValues,
  { layout }: Pick<Picture, 'layout'>,
  size: InputSize,
  { letterbox, mean, stdDev }: Preprocessing,
): Padding | null {
  if (options['letterbox'] !== 'pad' || letterbox === null) return null;
  const [widthPx, heightPx] = sidesOf(options['frame']!) as [number, number];
  const window = letterboxWindow({ widthPx, heightPx }, size, letterbox.at);
  if (Math.min(window.widthPx, window.heightPx) < leastSidePx)
    throw new FitError(
      'bad-option',
      `Of frames of ${widthPx}x${heightPx} ${window.widthPx}×${window.heightPx} pixels would be left in an input of ${size.widthPx}×${size.heightPx}. Give the size of the camera’s frames, such as frame=1280x720.`,
    );
  return hasBorder(window, size) ? { window, size, layout, letterbox, mean, stdDev } : null;
}

/** No network finds anything in less. */
const leastSidePx = 4;

/**
 * Adds the tensor `image` of the camera's shape, and the border around it that makes the tensor `padded` of it.
 * @returns the number of `image`
 */
export function addBorder(
  editor: TfliteEditor,
  { type, quantization }: Pick<NewTensor, 'type' | 'quantization'>,
  padded: number,
  shape: readonly number[],
  padding: Padding,
): number {
  const { window, layout, letterbox, mean, stdDev } = padding;
  const innerShape =
    layout === 'nchw' ? [1, 3, window.heightPx, window.widthPx] : [1, window.heightPx, window.widthPx, 3];
  const tensor = (name: string, sizes: readonly number[], data?: ArrayBufferView) =>
    editor.addTensor({ name, type, shape: sizes, ...(quantization && { quantization }), ...(data && { data }) });
  const borders = editor.addTensor({
    name: 'sightglass/border_sides',
    type: 'int32',
    shape: [4, 2],
    data: Int32Array.from(bordersOf(padding)),
  });
  const add = (name: 'PADV2' | 'SUB' | 'ADD', inputs: readonly number[], output: number) =>
    editor.addOperator({ name, options: [] }, inputs, [output], 'before');

  const image = tensor('image', innerShape);
  const values = mean.map((value, k) => (letterbox.border / 255 - value) / stdDev[k]!);
  const isOneValue = type === 'uint8' || values.every((value) => Math.fround(value) === Math.fround(values[0]!));
  if (isOneValue) {
    const value = type === 'uint8' ? Uint8Array.of(letterbox.border) : Float32Array.of(values[0]!);
    add('PADV2', [image, borders, tensor('sightglass/border', [1], value)], padded);
    return image;
  }
  // The operator has one value for all channels: where they differ, they are made 0 before it and restored behind it.
  const perChannel = tensor(
    'sightglass/border',
    layout === 'nchw' ? [1, 3, 1, 1] : [1, 1, 1, 3],
    Float32Array.from(values),
  );
  const [less, paddedLess] = [
    tensor('sightglass/less_border', innerShape),
    tensor('sightglass/padded_less_border', shape),
  ];
  add('SUB', [image, perChannel], less);
  add('PADV2', [less, borders, tensor('sightglass/no_border', [1], Float32Array.of(0))], paddedLess);
  add('ADD', [paddedLess, perChannel], padded);
  return image;
}

function bordersOf({ window, size, layout }: Padding): readonly number[] {
  const rows = [window.topPx, size.heightPx - window.heightPx - window.topPx];
  const columns = [window.leftPx, size.widthPx - window.widthPx - window.leftPx];
  return layout === 'nchw' ? [0, 0, 0, 0, ...rows, ...columns] : [0, 0, ...rows, ...columns, 0, 0];
}

/** Puts boxes [1,K,4] ymin, xmin, ymax, xmax, proportional to the network's input, into proportions of the frame. */
export function ontoFrame(writer: TfliteWriter, location: string, { window, size }: Padding): string {
  const twice = (y: number, x: number) => writer.floats([4], [y, x, y, x]);
  const inputPx = writer.add('Mul', [location, twice(size.heightPx, size.widthPx)]);
  const windowPx = writer.add('Sub', [inputPx, twice(window.topPx, window.leftPx)]);
  return writer.add('Div', [windowPx, twice(window.heightPx, window.widthPx)]);
}

/** The added padding, in words. */
export function paddingWords({ window, size, letterbox }: Padding): string {
  return (
    `an input of ${window.widthPx}×${window.heightPx}, the shape of the camera’s frames, with a border around it to ${size.widthPx}×${size.heightPx} ` +
    `(border ${letterbox.border}, ${letterbox.at})`
  );
}
