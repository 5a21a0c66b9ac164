import type { MarkPixels } from '../color-detector/mark-pixels.ts';
import type { Tensor } from '../tensor/tensor.ts';
import type { ConvertYuv, PlanesMemory, ReadFrame, ShrinkYuv } from '../yuv/yuv-frame.ts';
import type { InputSpec } from './input-spec.ts';

/** Port to whatever turns pixels into a tensor: the TypeScript reference, or the same arithmetic in WebAssembly. */
export interface StretchKernel {
  /** Stretches the frame to the model's size and packs it; shape [1,3,H,W] or [1,H,W,3]. Every implementation agrees bit for bit. */
  stretchToTensor(frame: ReadFrame, spec: InputSpec): Tensor;
  /** converts camera planes; only where that is faster than the browser's own conversion */
  readonly toRgba?: ConvertYuv;
  readonly shrinkToRgba?: ShrinkYuv;
  /** marks the pixels of a colour, as the reference does; absent: the reference is as fast */
  readonly markPixels?: MarkPixels;
  /** memory from which the kernel reads planes without a copy; null or absent: none */
  readonly planesMemory?: PlanesMemory | null;
}
