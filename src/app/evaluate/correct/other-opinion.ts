import { keptRows } from '../../../evidence/evaluation/face/comparison.ts';
import type { OtherOpinion } from '../../../evidence/evaluation/face/correction.ts';
import type { Compared } from '../comparison/comparison.svelte.ts';
import type { Measured } from '../measure/box-counting.ts';

/**
 * What the run that this one is compared with says of the same images: how many boxes it keeps, and how many of this
 * run's it has, too. null: nothing is compared, or not on the same images.
 */
export function otherOpinion(compared: Compared | null, { images, boxes }: Measured): OtherOpinion | null {
  if (!compared || compared.images.length !== images.length) return null;
  if (compared.images.some(({ image }, at) => image.id !== images[at]!.image.id)) return null;
  const agreed = new Float64Array(images.length);
  const { detections, space } = boxes;
  const numberOf = new Map(compared.labels.map((label, number) => [label, number]));
  const thresholds = space.labels.map((label) => compared.at.firstThresholds[numberOf.get(label) ?? -1] ?? Infinity);
  for (const row of keptRows(detections, thresholds)) agreed[detections.image[row]!]!++;
  const kept = Float64Array.from(agreed);
  for (const { kind, image } of compared.changes) {
    if (kind === 'vanished' || kind === 'relabelled') agreed[image]!--;
    if (kind === 'vanished') kept[image]!--;
    if (kind === 'appeared') kept[image]!++;
  }
  return { kept, agreed };
}
