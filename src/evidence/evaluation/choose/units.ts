import type { Units } from './choose-threshold.ts';

/** An image, with the video or burst that it is of. */
export interface SequencedImage {
  readonly id: string;
  /** images of one video or burst share it; '': a single image */
  readonly sequence: string;
}

/**
 * What counts as drawn independently: each image, and of a video or burst all its frames together.
 *
 * @param images in the order of their numbers
 * @returns the units
 * @example
 * const images = [{ id: 'a', sequence: 'walk' }, { id: 'b', sequence: '' }, { id: 'c', sequence: 'walk' }];
 * const { count, ofImage } = unitsOf(images);
 * [count, ...ofImage]; // => [2, 0, 1, 0]
 */
export function unitsOf(images: readonly SequencedImage[]): Units {
  const numbers = new Map<string, number>();
  const ofImage = Uint32Array.from(images, ({ id, sequence }) => {
    const key = sequence ? `sequence ${sequence}` : `image ${id}`;
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    return number;
  });
  return { count: numbers.size, ofImage };
}
