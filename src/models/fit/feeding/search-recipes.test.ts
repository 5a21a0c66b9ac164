import { beforeAll, describe, expect, it } from 'vitest';
import { randomPart, randomRecipe, trialModel, tryRecipe } from '../../../../tests/fit/recipe-trials.ts';
import { randomSource } from '../../../../tests/random-frame.ts';
import { readFrameFile } from '../../../platform/node/frame-file.ts';
import type { Frame } from '../../../machine/vision/frame/frame.ts';
import { asUnits } from '../../../machine/vision/preprocess/normalizations.ts';
import type { FeedingRecipe } from './recipe.ts';
import { searchRecipes } from './search-recipes.ts';

const model = trialModel();
let photograph: Frame;
beforeAll(async () => {
  photograph = await readFrameFile('assets/photographs/sample1.jpg');
});

const units = { bgr: false, meanValue: asUnits.mean, stdDev: asUnits.stdDev };

// bench/figures/feeding.ts tries 200.
describe('searchRecipes', () => {
  it.each([21, 23])('finds the recipe of one picture, seed %i', async (seed) => {
    const random = randomSource(seed);
    const trial = await tryRecipe(model, randomRecipe(random), randomPart([photograph], random));
    expect(trial?.isFound).toBe(true);
    expect(trial?.found.verdict).toBe('reproduced');
    // Else it would be found by calling all alike.
    expect(trial!.found.alike.length).toBeLessThan(40);
    expect(trial!.found.next!.miss).toBeGreaterThan(0);
  });

  it('cannot tell apart what makes the same picture: a square has no border', async () => {
    const square = { ...randomPart([photograph], () => 0.5) };
    expect(square.widthPx).toBe(square.heightPx);
    const placing = { kind: 'letterbox', at: 'top-left', sizes: 'floor', odd: 'after', border: 255 } as const;
    const recipe: FeedingRecipe = { resampler: 'pillow nearest', placing, ...units };
    const { found, isFound } = (await tryRecipe(model, recipe, square))!;
    expect(isFound).toBe(true);
    const kinds = new Set(found.alike.map((one) => one.recipe.placing.kind));
    expect([...kinds].sort()).toEqual(['crop', 'letterbox', 'stretch']);
    expect(new Set(found.alike.map((one) => one.recipe.bgr))).toEqual(new Set([false]));
  });

  it('ends when it is called off, and says how far it is', async () => {
    const controller = new AbortController();
    const told: number[] = [];
    const search = searchRecipes({
      model,
      pictures: [{ frame: randomPart([photograph], () => 0.5), expected: [{ category: 0, box: null, score: 0.5 }], digits: { box: [0.01, 0.01], score: 0.001 } }], // prettier-ignore
      colours: [units],
      ports: { stretchKernel: { stretchToTensor: () => expect.unreachable() }, turn: (task) => task(), nowMs: () => 0 },
      onProgress: (fraction) => {
        told.push(fraction);
        if (told.length === 3) controller.abort(new Error('called off'));
      },
      signal: controller.signal,
    });
    await expect(search).rejects.toThrow('called off');
    expect(told).toEqual([...told].sort((a, b) => a - b));
    expect(told.at(-1)!).toBeLessThan(1);
  });
});
