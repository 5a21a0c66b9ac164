import type { FrameSize } from '../../../machine/vision/face/frames.ts';
import { type InputSpec, normalizedBytes } from '../../../machine/vision/face/feeding.ts';
import packTensorShader from './pack-tensor.wgsl?raw';
import type { ComputePass } from './webgpu-compute.ts';
import { withJpegColours } from './with-jpeg-colours.ts';

const wordsPerRow = 4096; // a dispatch has two sides, neither long enough for a tensor

/** Packs a picture of the model's size into the tensor's bytes; a uint8 tensor is padded to a whole word. */
export function packTensorPass(
  { widthPx, heightPx }: FrameSize,
  isYcbcr: boolean,
  { dtype, layout, bgr, mean, stdDev }: Pick<InputSpec, 'dtype' | 'layout' | 'bgr' | 'mean' | 'stdDev'>,
): ComputePass {
  const pixelCount = widthPx * heightPx;
  const words = dtype === 'float32' ? 3 * pixelCount : Math.ceil((3 * pixelCount) / 4);
  const normalized = new Float32Array(3 * 256);
  for (let k = 0; k < 3; k++) normalized.set(normalizedBytes(mean[k]!, stdDev[k]!), 256 * k);
  const flags = [layout === 'nhwc', bgr, isYcbcr, dtype === 'float32'].map(Number);
  return {
    shader: withJpegColours(packTensorShader),
    entryPoint: 'pack_tensor',
    params: [pixelCount, ...flags, words, wordsPerRow],
    tables: [new Int32Array(normalized.buffer)],
    resultWords: words,
    columns: Math.min(words, wordsPerRow),
    rows: Math.ceil(words / wordsPerRow),
  };
}

/** Bytes of a tensor, without padding. */
export function tensorBytes(shape: readonly number[], dtype: InputSpec['dtype']): number {
  return shape.reduce((product, size) => product * size, dtype === 'float32' ? 4 : 1);
}
