import type { RawImage } from '../../../platform/ports/raw-image.ts';
import type { TruthImage } from '../ports/truth-source.ts';

/** An image that the model was run on. */
export interface EvaluatedImage {
  readonly image: TruthImage;
  readonly raw: RawImage;
}

/** An image that could not be run: it counts nowhere. */
export interface FailedImage {
  readonly image: TruthImage;
  readonly why: string;
}

/** The images that have a result, with it. */
const withResults = (
  images: readonly TruthImage[],
  results: ReadonlyMap<string, RawImage>,
): readonly EvaluatedImage[] =>
  images.flatMap((image) => {
    const raw = results.get(image.id);
    return raw ? [{ image, raw }] : [];
  });

/** Results in the order of these images, with the truth that these have. */
export const inOrderOf = (
  images: readonly TruthImage[],
  results: readonly EvaluatedImage[],
): readonly EvaluatedImage[] => withResults(images, new Map(results.map(({ image, raw }) => [image.id, raw])));
