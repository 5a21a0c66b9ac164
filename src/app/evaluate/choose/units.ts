import type { Units } from '../../../evaluation/choose/choose-threshold.ts';
import type { TruthImage } from '../ports/truth-source.ts';

/** What counts as drawn independently: each image, and of a video or burst all its frames together. */
export function unitsOf(images: readonly Pick<TruthImage, 'id' | 'sequence'>[]): Units {
  const numbers = new Map<string, number>();
  const ofImage = Uint32Array.from(images, ({ id, sequence }) => {
    const key = sequence ? `sequence ${sequence}` : `image ${id}`;
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    return number;
  });
  return { count: numbers.size, ofImage };
}
