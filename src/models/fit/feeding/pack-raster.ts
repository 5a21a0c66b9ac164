import { type InputSpec, packTensor, type Tensor, tensorShape } from '../../../machine/vision/face/feeding.ts';
import { isYuvFrame, type ReadFrame, toRgba8 } from '../../../machine/vision/face/frames.ts';
import type { Raster } from './resize/raster.ts';

/**
 * The colours of a frame without its alpha.
 * @param frame pixels or camera planes
 * @returns three bytes a pixel
 * @example
 * import { patternFrame } from '../../../machine/vision/frame/pattern-frame.ts';
 * rasterOf(patternFrame('rgba8', 2, 1)).samples.length; // => 6
 */
export function rasterOf(frame: ReadFrame): Raster {
  const { widthPx, heightPx, samples } = toRgba8(isYuvFrame(frame) ? frame.pixels() : frame);
  const rgb = new Uint8ClampedArray(3 * widthPx * heightPx);
  for (let pixel = 0; pixel < widthPx * heightPx; pixel++) {
    for (let channel = 0; channel < 3; channel++) rgb[3 * pixel + channel] = samples[4 * pixel + channel]!;
  }
  return { widthPx, heightPx, channels: 3, samples: rgb };
}

/**
 * Makes a tensor of the picture that a model sees.
 * @param picture RGB, of the input's size; levels between bytes stay so where the model takes float32
 * @param spec type, layout, colours and values
 * @returns shape [1,3,H,W] or [1,H,W,3]
 * @example
 * const spec = { dtype: 'float32', layout: 'nhwc', bgr: true, mean: [0, 0, 0], stdDev: [1, 1, 1] };
 * [...packed({ widthPx: 1, heightPx: 1, channels: 3, samples: Float32Array.of(0, 127.5, 255) }, spec).data]; // => [1, 0.5, 0]
 */
export function packed(
  { widthPx, heightPx, samples }: Raster,
  spec: Pick<InputSpec, 'dtype' | 'layout' | 'bgr' | 'mean' | 'stdDev'>,
): Tensor {
  if (samples instanceof Uint8ClampedArray) return packTensor(samples, widthPx, heightPx, spec);
  if (spec.dtype === 'uint8') return packTensor(Uint8ClampedArray.from(samples), widthPx, heightPx, spec);
  const pixels = widthPx * heightPx;
  const data = new Float32Array(3 * pixels);
  const [channelStep, pixelStep] = spec.layout === 'nchw' ? [pixels, 1] : [1, 3];
  for (let channel = 0; channel < 3; channel++) {
    const [mean, stdDev] = [spec.mean[channel]!, spec.stdDev[channel]!];
    for (let pixel = 0, i = spec.bgr ? 2 - channel : channel; pixel < pixels; pixel++, i += 3)
      data[channel * channelStep + pixel * pixelStep] = (samples[i]! / 255 - mean) / stdDev;
  }
  return { dtype: 'float32', shape: tensorShape(spec.layout, widthPx, heightPx), data };
}
