import type { EvaluationSpace, TruthSet } from '../evaluation/face/sets.ts';
import { canonicalSha256 } from './canonical-json.ts';

/**
 * The hash of a dataset's truth: names of images without their folders, and labels and places of boxes to a hundredth of a pixel, in whatever order
 * they are read. Bytes of images are not in it.
 *
 * @param space labels, and how many images
 * @param truth the boxes
 * @param names of the images, by their number
 * @returns SHA-256 in hex
 * @example
 * import { TruthSetBuilder } from '../evaluation/build-sets.ts';
 * const truth = new TruthSetBuilder();
 * truth.add(0, 0, [0, 0, 10, 10]);
 * truthSha256({ imageCount: 1, labels: ['cup'] }, truth.build(), ['a.jpg']).length; // => 64
 */
export function truthSha256(
  { imageCount, labels }: EvaluationSpace,
  { count, image, label, box, crowd, ignore }: TruthSet,
  names: readonly string[],
): string {
  const boxesOf = Array.from({ length: imageCount }, (): string[] => []);
  for (let row = 0; row < count; row++) {
    const place = Array.from(box.subarray(4 * row, 4 * row + 4), (edge) => Math.round(100 * edge) / 100);
    boxesOf[image[row]!]!.push(JSON.stringify([labels[label[row]!]!, ...place, crowd[row], ignore[row]]));
  }
  return canonicalSha256(
    boxesOf.map((boxes, at) => [names[at]!.replace(/^.*[/\\]/, ''), ...boxes.sort()]).sort(byText),
  );
}

const byText = (a: readonly string[], b: readonly string[]): number => (a.join('\n') < b.join('\n') ? -1 : 1);
