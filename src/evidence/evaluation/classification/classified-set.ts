import type { ClassifiedSet } from './classification-metrics.ts';

/** What a classifier said of an image, and the labels that the image has. */
export interface ClassifiedImage {
  readonly truth: readonly string[];
  /** scores of all labels; null: the classifier said nothing of classes */
  readonly scores: Float64Array | null;
}

/**
 * Puts together the images that count: those with a label that the model can report, of several the first. Labels are
 * compared without their case. Classes of one name are one label with the best of their scores, because the machine
 * reports names: ImageNet has two cranes, and either answer is right. The others of that name score -Infinity.
 *
 * @param labels that the model can report
 * @param images what it said of each
 * @returns the set, and the places of its images among the given ones
 * @example
 * const images = [{ truth: ['Cat'], scores: Float64Array.of(0.9, 0.1) }, { truth: ['cow'], scores: Float64Array.of(0.5, 0.5) }];
 * classifiedSet(['cat', 'dog'], images).counted; // => [0]
 */
export function classifiedSet(
  labels: readonly string[],
  images: readonly ClassifiedImage[],
): { readonly classified: ClassifiedSet; readonly counted: readonly number[] } {
  const numbers = new Map<string, number>();
  const repeated: { readonly number: number; readonly first: number }[] = [];
  for (const [number, label] of labels.entries()) {
    const first = numbers.get(label.toLowerCase());
    if (first === undefined) numbers.set(label.toLowerCase(), number);
    else repeated.push({ number, first });
  }
  const rows = images.flatMap(({ truth, scores }, at) => {
    const right = truth.map((label) => numbers.get(label.toLowerCase())).find((number) => number !== undefined);
    return right === undefined || scores?.length !== labels.length ? [] : [{ at, right, scores }];
  });
  const scores = new Float64Array(rows.length * labels.length);
  for (const [row, { scores: own }] of rows.entries()) {
    const joined = scores.subarray(row * labels.length, (row + 1) * labels.length);
    joined.set(own);
    for (const { number, first } of repeated) {
      joined[first] = Math.max(joined[first]!, joined[number]!);
      joined[number] = -Infinity;
    }
  }
  return {
    classified: {
      count: rows.length,
      truth: Uint32Array.from(rows, ({ right }) => right),
      scores,
      labelCount: labels.length,
    },
    counted: rows.map(({ at }) => at),
  };
}
