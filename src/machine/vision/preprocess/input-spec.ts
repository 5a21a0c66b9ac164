import type { VisionServiceConfig } from '../../config/face/machine-config.ts';
import { InferenceError } from '../errors/inference-error.ts';
import type { TensorInfo } from '../tensor/tensor.ts';
import { isChannelsFirst } from './channels-first.ts';

/**
 * How a frame becomes the model's input tensor; decided once for each model from its declaration and the service's
 * attributes.
 */
export interface InputSpec {
  /** name of the model's input */
  readonly tensorName: string;
  readonly dtype: 'uint8' | 'float32';
  readonly layout: 'nchw' | 'nhwc';
  /** null: dynamic; the frame's own size on that axis is used */
  readonly widthPx: number | null;
  readonly heightPx: number | null;
  readonly bgr: boolean;
  /** by output channel: in BGR order, mean[0] belongs to blue; float32 input only */
  readonly mean: readonly [number, number, number];
  readonly stdDev: readonly [number, number, number];
}

/** The attributes of a vision service that affect the input tensor. */
export type InputAttributes = Pick<VisionServiceConfig, 'remapInputNames' | 'meanValue' | 'stdDev' | 'bgr'>;

/**
 * Reads the declaration of the model's first input: its channel order (`isChannelsFirst`) and its sizes, of which
 * -1 is dynamic. The tensor is named `image`, or by the model's name that is remapped to it; the session checks
 * that the model has that name.
 * @param inputs what the model declares, in its own order
 * @param service the attributes that say how to feed it; mean and deviation are of values v / 255
 * @returns name, type, layout and size of the input tensor; a size of null is that of the frame
 * @throws InferenceError shape-mismatch (no input, fewer than 4 sizes, a size below 1 that is not -1),
 *   unsupported-dtype
 * @example
 * const inputs = [{ name: 'images', dtype: 'float32', shape: [1, 3, -1, 320], symbols: [] }];
 * const service = { remapInputNames: { images: 'image' }, meanValue: [0, 0, 0], stdDev: [1, 1, 1], bgr: false };
 * const { tensorName, layout, widthPx, heightPx } = inputSpec(inputs, service);
 * [tensorName, layout, widthPx, heightPx]; // => ['images', 'nchw', 320, null]
 */
export function inputSpec(inputs: readonly TensorInfo[], service: InputAttributes): InputSpec {
  const input = inputs[0];
  if (!input) throw new InferenceError('shape-mismatch', 'The model declares no input tensor.');
  const { shape } = input;
  if (shape.length < 4) {
    throw new InferenceError(
      'shape-mismatch',
      `Input "${input.name}" has ${shape.length} sizes (${shape.join('×')}); an image needs 4, such as 1×3×320×320.`,
    );
  }
  const channelsFirst = isChannelsFirst(shape);
  const [height, width] = channelsFirst ? [shape[2]!, shape[3]!] : [shape[1]!, shape[2]!];
  const remapped = Object.entries(service.remapInputNames).find(([, required]) => required === 'image');
  return {
    tensorName: remapped?.[0] ?? 'image',
    dtype: imageDtype(input),
    layout: channelsFirst ? 'nchw' : 'nhwc',
    widthPx: sizeOf(input, width),
    heightPx: sizeOf(input, height),
    bgr: service.bgr,
    mean: firstThree(service.meanValue),
    stdDev: firstThree(service.stdDev),
  };
}

function imageDtype({ name, dtype }: TensorInfo): InputSpec['dtype'] {
  if (dtype === 'uint8' || dtype === 'float32') return dtype;
  throw new InferenceError(
    'unsupported-dtype',
    `Input "${name}" takes ${dtype}; the machine feeds uint8 or float32 only.` +
      (dtype === 'float16' ? ' onnxconverter_common.float16 converts with keep_io_types=True.' : ''),
  );
}

function sizeOf(input: TensorInfo, size: number): number | null {
  if (size === -1) return null;
  if (size >= 1) return size;
  throw new InferenceError(
    'shape-mismatch',
    `Input "${input.name}" declares ${input.shape.join('×')}; no image is ${size} px.`,
  );
}

function firstThree(values: readonly number[]): [number, number, number] {
  const [a = 0.5, b = 0.5, c = 0.5] = values;
  return [a, b, c];
}
