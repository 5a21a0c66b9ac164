import type { Tensor } from '../tensor/tensor.ts';
import type { InputSpec } from './input-spec.ts';

/**
 * Packs RGB bytes into the input tensor: [1,3,H,W] or [1,H,W,3], R and B swapped where the service says BGR.
 * uint8 takes the bytes as they are; float32 takes (v/255 − mean)/stdDev, each step rounded to float32.
 * @param rgb three bytes a pixel
 * @param widthPx width of the picture
 * @param heightPx height of the picture
 * @param spec type, layout, colours and values of the input
 * @returns a tensor of shape [1,3,H,W] or [1,H,W,3]
 * @example
 * const spec = { dtype: 'uint8', layout: 'nhwc', bgr: true, mean: [0, 0, 0], stdDev: [1, 1, 1] };
 * [...packTensor(Uint8ClampedArray.of(1, 2, 3), 1, 1, spec).data]; // => [3, 2, 1]
 */
export function packTensor(
  rgb: Uint8ClampedArray,
  widthPx: number,
  heightPx: number,
  spec: Pick<InputSpec, 'dtype' | 'layout' | 'bgr' | 'mean' | 'stdDev'>,
): Tensor {
  const data = spec.dtype === 'uint8' ? new Uint8Array(rgb.length) : new Float32Array(rgb.length);
  const pixelCount = widthPx * heightPx;
  const [channelStride, pixelStride] = spec.layout === 'nchw' ? [pixelCount, 1] : [1, 3];
  for (let k = 0; k < 3; k++) {
    const values = spec.dtype === 'uint8' ? null : normalizedBytes(spec.mean[k]!, spec.stdDev[k]!);
    let i = spec.bgr ? 2 - k : k;
    let o = k * channelStride;
    for (let pixel = 0; pixel < pixelCount; pixel++, i += 3, o += pixelStride) {
      data[o] = values ? values[rgb[i]!]! : rgb[i]!;
    }
  }
  return { dtype: spec.dtype, shape: tensorShape(spec.layout, widthPx, heightPx), data };
}

/**
 * Gives the shape of an image tensor.
 * @param layout nchw: channels first; nhwc: channels last
 * @param widthPx width of the picture
 * @param heightPx height of the picture
 * @returns [1,3,H,W] or [1,H,W,3]
 * @example
 * tensorShape('nchw', 640, 480); // => [1, 3, 480, 640]
 * tensorShape('nhwc', 640, 480); // => [1, 480, 640, 3]
 */
export function tensorShape(layout: InputSpec['layout'], widthPx: number, heightPx: number): readonly number[] {
  return layout === 'nchw' ? [1, 3, heightPx, widthPx] : [1, heightPx, widthPx, 3];
}

/**
 * Computes the value that a float32 tensor gets for each byte: (v / 255 − mean) / stdDev, each step rounded to float32
 * as on the machine.
 * @param mean 0..1 in the usual case
 * @param stdDev not 0
 * @returns 256 values, by byte
 * @example
 * const values = normalizedBytes(0.5, 0.5);
 * [values[0], values[255]]; // => [-1, 1]
 */
export function normalizedBytes(mean: number, stdDev: number): Float32Array {
  const mean32 = Math.fround(mean);
  const stdDev32 = Math.fround(stdDev);
  return Float32Array.from({ length: 256 }, (_, byte) =>
    Math.fround(Math.fround(Math.fround(byte / 255) - mean32) / stdDev32),
  );
}
