import { placingWords, resamplerWords, type FeedingRecipe } from './recipe.ts';
import type { FoundRecipes } from './search-recipes.ts';
import { feedingWords } from '../solver/rank-feedings.ts';

/**
 * Says what pictures do not tell apart: each part of the recipe that may as well be another.
 * @param found of `searchRecipes`
 * @returns a sentence for each such part; []: the recipe is the only one
 * @example
 * const recipe = { resampler: 'opencv linear', placing: { kind: 'stretch' }, bgr: false, meanValue: [0, 0, 0], stdDev: [1, 1, 1] };
 * apartInWords({ alike: [{ recipe }] }); // => []
 * const other = { ...recipe, resampler: 'opencv area' };
 * apartInWords({ alike: [{ recipe }, { recipe: other }] }); // => ['Cannot tell these apart: OpenCV linear; OpenCV area.']
 */
export function apartInWords({ alike }: Pick<FoundRecipes, 'alike'>): readonly string[] {
  const parts: readonly ((recipe: FeedingRecipe) => string)[] = [
    ({ resampler }) => resamplerWords(resampler),
    ({ placing }) => placingWords(placing),
    ({ bgr, meanValue, stdDev }) => feedingWords({ bgr, meanValue, stdDev, fit: 'stretch' }),
  ];
  return parts.flatMap((words) => {
    const different = [...new Set(alike.map(({ recipe }) => words(recipe)))];
    if (different.length < 2) return [];
    const more = different.length - mostNamed;
    const named = more > 0 ? [...different.slice(0, mostNamed), `${more} more`] : different;
    return [`Cannot tell these apart: ${named.join('; ')}.`];
  });
}

const mostNamed = 6;
