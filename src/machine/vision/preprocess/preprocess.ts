import type { Tensor } from '../tensor/tensor.ts';
import { isYuvFrame, type ReadFrame } from '../yuv/yuv-frame.ts';
import type { InputSpec } from './input-spec.ts';
import { packTensor } from './pack-tensor.ts';
import type { StretchKernel } from './stretch-kernel.ts';
import { stretch } from './stretch.ts';

/**
 * Turns a frame into the model's input tensor. The frame is stretched, never letterboxed, as on the machine.
 * @param frame pixels or camera planes, of any size
 * @param spec of `inputSpec`; a size of null is that of the frame
 * @returns a tensor of shape [1,3,H,W] or [1,H,W,3]
 * @example
 * import { patternFrame } from '../frame/pattern-frame.ts';
 * const spec = { dtype: 'uint8', layout: 'nhwc', widthPx: null, heightPx: null, bgr: true, mean: [0, 0, 0], stdDev: [1, 1, 1] };
 * const { shape, data } = preprocess(patternFrame('rgba8', 2, 1), spec);
 * shape; // => [1, 1, 2, 3]
 * [...data]; // => [123, 167, 29, 175, 179, 1]
 */
export function preprocess(frame: ReadFrame, spec: InputSpec): Tensor {
  const widthPx = spec.widthPx ?? frame.widthPx;
  const heightPx = spec.heightPx ?? frame.heightPx;
  const pixels = isYuvFrame(frame) ? frame.pixels() : frame;
  return packTensor(stretch(pixels, widthPx, heightPx), widthPx, heightPx, spec);
}

/** The reference arithmetic, which every other kernel must reproduce bit for bit. */
export const referenceStretchKernel: StretchKernel = { stretchToTensor: preprocess };
