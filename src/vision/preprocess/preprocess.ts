import type { Tensor } from '../tensor.ts';
import { isYuvFrame, type ReadFrame } from '../yuv/yuv-frame.ts';
import type { InputSpec } from './input-spec.ts';
import { packTensor } from './pack-tensor.ts';
import type { StretchKernel } from './stretch-kernel.ts';
import { stretch } from './stretch.ts';

/** Turns a frame into the model's input tensor: stretched, never letterboxed; shape [1,3,H,W] or [1,H,W,3]. */
export function preprocess(frame: ReadFrame, spec: InputSpec): Tensor {
  const widthPx = spec.widthPx ?? frame.widthPx;
  const heightPx = spec.heightPx ?? frame.heightPx;
  const pixels = isYuvFrame(frame) ? frame.pixels() : frame;
  return packTensor(stretch(pixels, widthPx, heightPx), widthPx, heightPx, spec);
}

/** The reference arithmetic, which every other kernel must reproduce bit for bit. */
export const referenceStretchKernel: StretchKernel = { stretchToTensor: preprocess };
