import type { DetectionSet } from '../evaluation.ts';

/** A limit that the model itself seems to have: so many boxes an image and no more. */
export interface ModelLimit {
  readonly boxesAnImage: number;
  /** images with as many */
  readonly fullImages: number;
  /** from this score on no box can be missing: below it, boxes of these images may have been left out by the model */
  readonly exactFrom: number;
}

const fewestFull = 3;

/**
 * Finds a limit in how many boxes the images have: where at least half of those with boxes have the same number, and none
 * has more, the model gives its surest ones only (a top-k, or a fixed number of rows). Then a curve over the threshold is
 * that of the model without the limit only from some score on.
 *
 * @param detections all raw results
 * @param imageCount how many images were run
 * @returns null: nothing speaks for a limit
 * @example
 * import { DetectionSetBuilder } from '../build-sets.ts';
 * const found = new DetectionSetBuilder();
 * for (const image of [0, 1, 2]) for (const score of [0.9, 0.1 * image]) found.add(image, 0, [0, 0, 5, 5], score);
 * modelLimit(found.build(), 3); // => { boxesAnImage: 2, fullImages: 3, exactFrom: 0.2 }
 */
export function modelLimit({ image, score, count }: DetectionSet, imageCount: number): ModelLimit | null {
  const boxes = new Uint32Array(imageCount);
  const lowest = new Float64Array(imageCount).fill(Infinity);
  for (let row = 0; row < count; row++) {
    const at = image[row]!;
    boxes[at]!++;
    lowest[at] = Math.min(lowest[at]!, score[row]!);
  }
  const most = boxes.reduce((high, one) => Math.max(high, one), 0);
  const full = Array.from(boxes.keys()).filter((at) => boxes[at] === most);
  const withBoxes = boxes.reduce((sum, one) => sum + (one > 0 ? 1 : 0), 0);
  if (most < 2 || full.length < fewestFull || 2 * full.length < withBoxes) return null;
  return {
    boxesAnImage: most,
    fullImages: full.length,
    exactFrom: full.reduce((high, at) => Math.max(high, lowest[at]!), -Infinity),
  };
}
