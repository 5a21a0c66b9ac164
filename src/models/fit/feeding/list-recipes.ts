import type { FeedingRecipe, Placing } from './recipe.ts';
import { resamplers } from './resize/resample.ts';

const borders = [114, 0, 128, 255] as const;
const shares = [0.875, 1, 0.95, 0.9] as const;

const letterboxes: readonly Extract<Placing, { kind: 'letterbox' }>[] = borders.flatMap((border) => [
  { kind: 'letterbox', at: 'centre', sizes: 'round', odd: 'after', border },
  { kind: 'letterbox', at: 'top-left', sizes: 'floor', odd: 'after', border },
  { kind: 'letterbox', at: 'centre', sizes: 'floor', odd: 'after', border },
  { kind: 'letterbox', at: 'centre', sizes: 'round', odd: 'before', border },
  { kind: 'letterbox', at: 'centre', sizes: 'floor', odd: 'before', border },
  { kind: 'letterbox', at: 'top-left', sizes: 'round', odd: 'after', border },
]);

/** All that are tried: stretched; letterboxes as Ultralytics, YOLOX, Keras' YOLOs and others have them; crops as torchvision and timm, and as Keras. */
export const placings: readonly Placing[] = [
  { kind: 'stretch' },
  ...letterboxes,
  ...shares.flatMap((share) => [
    { kind: 'crop', share, cut: 'after' } as const,
    { kind: 'crop', share, cut: 'before' } as const,
  ]),
];

/** One of each kind, by which the kind shows itself; of letterboxes the usual gray and black. */
export const roughPlacings: readonly Placing[] = [
  { kind: 'stretch' },
  ...letterboxes.filter(({ sizes, at, odd, border }) => odd === 'after' && sizes === (at === 'centre' ? 'round' : 'floor') && border <= 114), // prettier-ignore
  { kind: 'crop', share: 0.95, cut: 'after' },
];

export type Factor = 'colours' | 'placing' | 'resampler';

/** Colours and values of a recipe. */
export type Colours = Pick<FeedingRecipe, 'bgr' | 'meanValue' | 'stdDev'>;

/**
 * Lists the recipes that differ from one in one factor.
 * @param recipe the recipe
 * @param factor which of its parts
 * @param colours all that are tried
 * @returns the recipe itself among them where it is a usual one
 * @example
 * const placing = { kind: 'stretch' };
 * withOther({ resampler: 'opencv linear', placing }, 'resampler', []).length; // => 19
 */
export function withOther(
  recipe: FeedingRecipe,
  factor: Factor,
  colours: readonly Colours[],
): readonly FeedingRecipe[] {
  switch (factor) {
    case 'colours':
      return colours.map(({ bgr, meanValue, stdDev }) => ({ ...recipe, bgr, meanValue, stdDev }));
    case 'placing':
      return placings.map((placing) => ({ ...recipe, placing }));
    case 'resampler':
      return resamplers.map((resampler) => ({ ...recipe, resampler }));
  }
}
