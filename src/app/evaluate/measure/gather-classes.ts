import type { ClassifiedSet } from '../../../evaluation/classification/classification-metrics.ts';
import type { EvaluatedImage } from '../run/evaluated-image.ts';

/** What a classifier said of images whose label is known. */
export interface GatheredClasses {
  readonly labels: readonly string[];
  readonly classified: ClassifiedSet;
  /** by number of the classified set */
  readonly images: readonly EvaluatedImage[];
  /** images without a label, or with one that the model cannot report: they count nowhere */
  readonly leftOutCount: number;
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
  const numbers = new Map(labels.map((label, number) => [label.toLowerCase(), number]));
  const truth: number[] = [];
  const images = results.filter(({ image, raw }) => {
    const known = image.labels.map((label) => numbers.get(label.toLowerCase())).find((number) => number !== undefined);
    if (known === undefined || raw.classes?.length !== labels.length) return false;
    truth.push(known);
    return true;
  });
  const scores = new Float64Array(images.length * labels.length);
  for (const [at, { raw }] of images.entries()) scores.set(raw.classes!, at * labels.length);
  return {
    labels,
    classified: { count: images.length, truth: Uint32Array.from(truth), scores, labelCount: labels.length },
    images,
    leftOutCount: results.length - images.length,
  };
}
