import type { TruthImage } from '../ports/truth-source.ts';

/** What becomes of boxes of the truth that a model made. It is not stored whether a person looked at them. */
export type ModelMade = 'count' | 'without-images' | 'without-boxes';

export const modelMadeNames: Readonly<Record<ModelMade, string>> = {
  count: 'Count them as truth',
  'without-images': 'Leave their images out',
  'without-boxes': 'Leave these boxes out',
};

/** What each choice means, as a sentence. */
export const modelMadeWords: Readonly<Record<ModelMade, string>> = {
  count: 'Choose this if you checked every one of them. A model that is measured by its own boxes is always right.',
  'without-images': 'Only images without such boxes are counted.',
  'without-boxes': 'They count neither as found nor as missed, and what the model finds there is not false.',
};

export const isModelMade = (value: unknown): value is ModelMade =>
  typeof value === 'string' && Object.hasOwn(modelMadeNames, value);

/** How many boxes of the truth a model made. */
export const countModelMade = (images: readonly TruthImage[]): number =>
  images.reduce((sum, { boxes }) => sum + boxes.filter((box) => box.isModelMade).length, 0);

/** The images that count, with their truth; the same list where nothing is left out. */
export function truthThatCounts(images: readonly TruthImage[], choice: ModelMade): readonly TruthImage[] {
  if (choice === 'count' || countModelMade(images) === 0) return images;
  const hasOne = ({ boxes }: TruthImage): boolean => boxes.some((box) => box.isModelMade);
  if (choice === 'without-images') return images.filter((image) => !hasOne(image));
  return images.map((image) => {
    if (!hasOne(image)) return image;
    return { ...image, boxes: image.boxes.map((box) => ({ ...box, isIgnored: box.isModelMade })) };
  });
}
