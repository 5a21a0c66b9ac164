import { type ClassifiedSet, classifiedSet } from '../../../evidence/evaluation/face/classification.ts';
import type { EvaluatedImage } from '../run/evaluated-image.ts';

/** What a classifier said of images whose label is known. */
export interface GatheredClasses {
  readonly labels: readonly string[];
  readonly classified: ClassifiedSet;
  /** by number of the classified set */
  readonly images: readonly EvaluatedImage[];
  /** images without a label, or with one that the model cannot report: they count nowhere */
  readonly leftOutCount: number;
  /** the labels of those images, each once, in the images' order; none where no such image has a label */
  readonly leftOutLabels: readonly string[];
}

/**
 * Gathers the class scores of images with the label that each has in the dataset. An image with several labels counts
 * with its first one that the model can report.
 *
 * @returns null: the service finds boxes
 */
export function gatherClasses(results: readonly EvaluatedImage[]): GatheredClasses | null {
  const first = results.find(({ raw }) => raw.classes !== null);
  if (!first) return null;
  const { labels } = first.raw;
  const { classified, counted } = classifiedSet(
    labels,
    results.map(({ image, raw }) => ({ truth: image.labels, scores: raw.classes })),
  );
  const isCounted = new Set(counted);
  const leftOut = results.filter((_, at) => !isCounted.has(at));
  return {
    labels,
    classified,
    images: counted.map((at) => results[at]!),
    leftOutCount: leftOut.length,
    leftOutLabels: [...new Set(leftOut.flatMap(({ image }) => image.labels))],
  };
}
