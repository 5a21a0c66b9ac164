import { expect, it } from 'vitest';
import { DetectionSetBuilder } from '../build-sets.ts';
import { modelLimit } from './model-limit.ts';

/** The scores of each image. */
function found(...images: readonly (readonly number[])[]) {
  const builder = new DetectionSetBuilder();
  for (const [image, scores] of images.entries())
    for (const score of scores) builder.add(image, 0, [0, 0, 5, 5], score);
  return modelLimit(builder.build(), images.length);
}

it('sees a limit where at least half of the images with boxes have as many as any', () => {
  const images = [[0.9, 0.4], [0.8, 0.7], [0.5, 0.1], [0.3], [0.2], [0.1]];
  expect(found(...images, [])).toEqual({ boxesAnImage: 2, fullImages: 3, exactFrom: 0.7 });
  expect(found(...images, [0.3])).toBeNull();
});

it('sees none in a few images, in one box each, or where one image has more', () => {
  expect(found([0.9, 0.4], [0.8, 0.7])).toBeNull();
  expect(found([0.9], [0.8], [0.7], [0.6])).toBeNull();
  expect(found([0.9, 0.4], [0.8, 0.7], [0.5, 0.1], [0.3, 0.2, 0.1])).toBeNull();
  expect(found([], [], [])).toBeNull();
});
