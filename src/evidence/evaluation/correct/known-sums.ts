import type { UncorrectedImages } from './correction-worth.ts';

/** Numbers of each image that are known before it is corrected, three an image. */
export type KnownColumns = readonly [kept: Float64Array, likelyRight: Float64Array, likelyThere: Float64Array];

/**
 * Counts what is known of every image and goes along with what is not: how many boxes are kept, how many of them are likely
 * right (by their scores, and by what another model has too), and how many objects are likely there (by all scores, and
 * by what the other model keeps).
 *
 * @param images what is known of them
 * @returns three columns by image number
 * @example
 * import { DetectionSetBuilder } from '../build-sets.ts';
 * const found = new DetectionSetBuilder();
 * found.add(0, 0, [0, 0, 10, 10], 0.75);
 * found.add(0, 0, [0, 0, 10, 10], 0.25);
 * const space = { imageCount: 1, labels: ['cup'] };
 * const images = { space, detections: found.build(), thresholds: [0.5], other: null, isCorrected: null };
 * knownSums(images).map(([sum]) => sum); // => [1, 0.75, 1]
 */
export function knownSums({ space, detections, thresholds, other }: UncorrectedImages): KnownColumns {
  const column = (first?: ArrayLike<number>) => (first ? Float64Array.from(first) : new Float64Array(space.imageCount));
  const [kept, right, there] = [column(), column(other?.agreed), column(other?.kept)];
  for (let row = 0; row < detections.count; row++) {
    const [image, score] = [detections.image[row]!, detections.score[row]!];
    there[image]! += score;
    if (score < (thresholds[detections.label[row]!] ?? 0)) continue;
    kept[image]!++;
    right[image]! += score;
  }
  return [kept, right, there];
}
