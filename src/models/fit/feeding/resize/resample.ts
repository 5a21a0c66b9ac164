import { resizeAsOpencv, type OpencvInterpolation } from './opencv.ts';
import { resizeAsPillow, type PillowFilter } from './pillow.ts';
import type { Raster } from './raster.ts';
import { resizeAsTorchvision, type TorchvisionResize } from './torchvision.ts';

/** A library's way of resizing, by the words of the library. */
export type Resampler =
  | `pillow ${PillowFilter}`
  | `opencv ${OpencvInterpolation}`
  | `torchvision ${TorchvisionResize['mode']}${'' | ' antialiased'}${'' | ' float'}`;

const torchvision = (['bilinear', 'bicubic'] as const).flatMap((mode) =>
  (['', ' antialiased'] as const).flatMap((antialias) =>
    (['', ' float'] as const).map((type) => `torchvision ${mode}${antialias}${type}` as const),
  ),
);

/** All that are reproduced, the commonest of each library first. */
export const resamplers: readonly Resampler[] = [
  'opencv linear',
  'opencv area',
  'opencv cubic',
  'opencv lanczos4',
  'opencv nearest',
  'pillow bilinear',
  'pillow bicubic',
  'pillow lanczos',
  'pillow nearest',
  'pillow box',
  'pillow hamming',
  ...torchvision,
];

/**
 * Resizes a picture as a library does.
 * @param source bytes
 * @param widthPx of the result, 1 or more
 * @param heightPx of the result, 1 or more
 * @param resampler which library, and which of its ways
 * @returns a raster of that size
 * @example
 * const source = { widthPx: 2, heightPx: 1, channels: 1, samples: Uint8ClampedArray.of(0, 100) };
 * [...resample(source, 1, 1, 'pillow box').samples]; // => [50]
 */
export function resample(source: Raster, widthPx: number, heightPx: number, resampler: Resampler): Raster {
  const [library, kind, ...more] = resampler.split(' ');
  if (library === 'pillow') return resizeAsPillow(source, widthPx, heightPx, kind as PillowFilter);
  if (library === 'opencv') return resizeAsOpencv(source, widthPx, heightPx, kind as OpencvInterpolation);
  const mode = kind as TorchvisionResize['mode'];
  const [isAntialiased, isFloat] = [more.includes('antialiased'), more.includes('float')];
  return resizeAsTorchvision(source, widthPx, heightPx, { mode, isAntialiased, isFloat });
}
