import { chancesOf, drawOrder } from '../../src/evidence/evaluation/correct/draw-order.ts';
import { estimateCorrectedF1 } from '../../src/evidence/evaluation/correct/estimate-corrected-f1.ts';
import { correctedScene, seeded } from '../corrected-scene.ts';

/** Draws an image: see `correctedScene`. */
export type DrawImage = Parameters<typeof correctedScene>[2];

/** Images with few or many boxes: the more there is, the less clear it is. */
export const crowds: DrawImage = (random) => {
  const objects = Math.ceil(12 * random() ** 3);
  return { objects, clarity: 1.1 - 0.06 * objects + 0.2 * random(), missed: objects / 3 };
};

/** One image in ten has a dozen unclear boxes. */
export const bursts: DrawImage = (random) =>
  random() < 0.1
    ? { objects: 12, clarity: 0.5, missed: 0 }
    : { objects: 1 + Math.floor(3 * random()), clarity: 1, missed: 0.5 };

/** A thing is on one image in eight. */
export const rareLabel: DrawImage = (random) =>
  random() < 0.125 ? { objects: 2, clarity: 0.9, missed: 1 } : { objects: 0, clarity: 1, missed: 0 };

export const allAlike: DrawImage = () => ({ objects: 3, clarity: 0.9, missed: 1 });

/** Draws images to correct, many times, and counts how often the F1 of all lies outside the interval that is stated. */
export function correctedOn(
  draw: DrawImage,
  { imageCount, count, runs }: Readonly<Record<'imageCount' | 'count' | 'runs', number>>,
): { readonly stated: number; readonly wrong: number } {
  let [stated, wrong] = [0, 0];
  for (let run = 1; run <= runs; run++) {
    const { counts, known, worth, f1 } = correctedScene(imageCount, 7919 * run + count, draw);
    const lots = Float64Array.from(worth, seeded(104_729 * run));
    const order = drawOrder(worth, lots);
    const chances = chancesOf(worth, lots, order, count);
    const estimate = estimateCorrectedF1(
      { images: order.subarray(0, count), chances, counts, total: imageCount },
      known,
    );
    if (!estimate || f1 === null) continue;
    stated++;
    if (estimate.low > f1 + 1e-9 || estimate.high < f1 - 1e-9) wrong++;
  }
  return { stated, wrong };
}
