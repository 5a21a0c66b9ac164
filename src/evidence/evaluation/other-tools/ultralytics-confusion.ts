import type { DetectionSet, EvaluationSpace, TruthSet } from '../evaluation.ts';
import { boxOverlap } from '../match/box-overlap.ts';
import { byScore } from '../sweep/confusion-matrix.ts';
import type { Counts } from '../sweep/label-sweep.ts';
import { rowsByImage } from '../sweep/overlaps-in-image.ts';

export interface UltralyticsConfusion extends Counts {
  /** labels, and last the background */
  readonly size: number;
  /** counts[truth · size + result]; it prints them the other way round */
  readonly counts: Uint32Array<ArrayBuffer>;
}

/** What its validation draws the matrix with, whatever threshold is in force. */
export const ultralyticsRule = { scoreAbove: 0.25, overlapAbove: 0.45 } as const;

/**
 * Ultralytics' confusion matrix (8.4): results with a score above 0.25, down the scores, each take the free truth that
 * they overlap most, above 0.45, whatever its label; what is left is background. Crowds are objects like others. A pair of
 * two labels is a false result and a missed truth.
 *
 * @param truth what is there
 * @param detections what was found, before any threshold
 * @param space how many images and which labels
 * @returns the matrix, and what it counts of all labels
 * @example
 * import { DetectionSetBuilder, TruthSetBuilder } from '../build-sets.ts';
 * const truth = new TruthSetBuilder();
 * truth.add(0, 0, [0, 0, 10, 10]);
 * const found = new DetectionSetBuilder();
 * found.add(0, 1, [0, 0, 10, 10], 0.3);
 * const { counts } = ultralyticsConfusion(truth.build(), found.build(), { imageCount: 1, labels: ['cup', 'jug'] });
 * [...counts]; // => [0, 1, 0, 0, 0, 0, 0, 0, 0]
 */
export function ultralyticsConfusion(
  truth: TruthSet,
  detections: DetectionSet,
  { labels }: EvaluationSpace,
): UltralyticsConfusion {
  const background = labels.length;
  const size = background + 1;
  const counts = new Uint32Array(size * size);
  const kept = Uint32Array.from(detections.score.keys()).filter(
    (row) => detections.score[row]! > ultralyticsRule.scoreAbove,
  );
  const truthOfImage = rowsByImage(truth, truth.image.keys());
  const taken = new Set<number>();
  for (const row of byScore(detections, kept)) {
    let best = { row: -1, overlap: ultralyticsRule.overlapAbove as number };
    for (const candidate of truthOfImage.get(detections.image[row]!) ?? []) {
      if (taken.has(candidate)) continue;
      const overlap = boxOverlap(detections.box, row, truth.box, candidate, false);
      if (overlap > best.overlap) best = { row: candidate, overlap };
    }
    if (best.row >= 0) taken.add(best.row);
    counts[(best.row < 0 ? background : truth.label[best.row]!) * size + detections.label[row]!]!++;
  }
  for (const [row, label] of truth.label.entries()) if (!taken.has(row)) counts[label * size + background]!++;
  let truePositives = 0;
  for (let label = 0; label < background; label++) truePositives += counts[label * (size + 1)]!;
  return {
    size,
    counts,
    truePositives,
    falsePositives: kept.length - truePositives,
    missed: truth.count - truePositives,
  };
}
