import { feedingWords } from '../solver/rank-feedings.ts';
import type { LetterboxRounding } from '../../../machine/vision/face/feeding.ts';
import type { InputInterpretation } from '../interpretations/interpretation.ts';
import type { Resampler } from './resize/resample.ts';

/** Where a picture lies in a model's input. */
export type Placing =
  | { readonly kind: 'stretch' }
  | (LetterboxRounding & {
      readonly kind: 'letterbox';
      readonly at: 'centre' | 'top-left';
      /** gray around the picture, a byte */
      readonly border: number;
    })
  | {
      readonly kind: 'crop';
      /** how much of the picture's shorter side is left, 0..1 */
      readonly share: number;
      /** cut out of the picture and then resized, or the other way round */
      readonly cut: 'before' | 'after';
    };

/** How a picture became the numbers that a model was trained with. */
export interface FeedingRecipe extends Pick<InputInterpretation, 'bgr' | 'meanValue' | 'stdDev'> {
  readonly resampler: Resampler;
  readonly placing: Placing;
}

/**
 * Says a recipe in words.
 * @param recipe resampler, placing, colours and values
 * @returns one line
 * @example
 * const placing = { kind: 'letterbox', at: 'centre', sizes: 'round', odd: 'after', border: 114 };
 * const colours = { bgr: true, meanValue: [0, 0, 0], stdDev: [1, 1, 1] };
 * recipeWords({ resampler: 'opencv linear', placing, ...colours }); // => 'OpenCV linear; letterbox in the middle, border 114; BGR, values from 0 to 1'
 */
export function recipeWords({ resampler, placing, ...colours }: FeedingRecipe): string {
  return [resamplerWords(resampler), placingWords(placing), feedingWords({ ...colours, fit: 'stretch' })].join('; ');
}

const libraries: Readonly<Record<string, string>> = { opencv: 'OpenCV', pillow: 'Pillow', torchvision: 'torchvision' };

/**
 * Says a resampler in words.
 * @param resampler library and way
 * @returns such as "OpenCV linear"
 * @example
 * resamplerWords('torchvision bicubic antialiased'); // => 'torchvision bicubic antialiased'
 */
export function resamplerWords(resampler: Resampler): string {
  const [library, ...way] = resampler.split(' ');
  return [libraries[library!], ...way].join(' ');
}

/**
 * Says a placing in words.
 * @param placing where a picture lies in the input
 * @returns such as "letterbox in the middle, border 114"
 * @example
 * placingWords({ kind: 'crop', share: 0.875, cut: 'after' }); // => 'resized, then the middle cut out (87.5 %)'
 */
export function placingWords(placing: Placing): string {
  switch (placing.kind) {
    case 'stretch':
      return 'stretched';
    case 'letterbox': {
      const { at, sizes, odd, border } = placing;
      const isUsual = sizes === (at === 'centre' ? 'round' : 'floor');
      return [
        `letterbox ${at === 'centre' ? 'in the middle' : 'at the upper left'}`,
        `border ${border}`,
        ...(isUsual ? [] : [sizes === 'floor' ? 'sizes cut off' : 'sizes rounded']),
        ...(odd === 'before' ? ['an odd pixel before the picture'] : []),
      ].join(', ');
    }
    case 'crop': {
      const percent = `${Math.round(1000 * placing.share) / 10} %`;
      return placing.cut === 'after'
        ? `resized, then the middle cut out (${percent})`
        : `the middle cut out (${percent}), then resized`;
    }
  }
}
