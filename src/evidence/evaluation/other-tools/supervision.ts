import type { DetectionSet, EvaluationSpace, TruthSet } from '../evaluation.ts';
import { boxOverlap } from '../match/box-overlap.ts';
import { rowsByImage } from '../sweep/overlaps-in-image.ts';
import { ratesOf, type Counts } from '../sweep/label-sweep.ts';

/** What Roboflow's supervision says at thresholds, at IoU 0.5. */
export interface SupervisionFigures {
  /** mean of the labels' F1, each weighed by how much truth it has */
  readonly f1: number;
  /** by label number; null: neither truth nor kept results */
  readonly perLabel: readonly (Counts | null)[];
}

/**
 * `F1Score` of Roboflow's supervision (0.31): in each image and label, of all pairs that overlap by half the one that
 * overlaps most comes first, whatever its score; labels are weighed by their truth, and crowds are objects like others.
 *
 * @param truth what is there
 * @param detections what was found
 * @param space how many images and which labels
 * @param thresholds the lowest score that is kept, by label number
 * @returns its mean F1, and what it counts of each label
 * @example
 * import { DetectionSetBuilder, TruthSetBuilder } from '../build-sets.ts';
 * const truth = new TruthSetBuilder();
 * truth.add(0, 0, [0, 0, 10, 10]);
 * const found = new DetectionSetBuilder();
 * found.add(0, 0, [0, 0, 10, 10], 0.9);
 * supervisionFigures(truth.build(), found.build(), { imageCount: 1, labels: ['cup'] }, [0.5]).f1; // => 1
 */
export function supervisionFigures(
  truth: TruthSet,
  detections: DetectionSet,
  { labels }: EvaluationSpace,
  thresholds: ArrayLike<number>,
): SupervisionFigures {
  const kept = Array.from(detections.score.keys()).filter(
    (row) => detections.score[row]! - (thresholds[detections.label[row]!] ?? 0) >= 0,
  );
  const truthOfImage = rowsByImage(truth, truth.image.keys());
  const counts = labels.map(() => ({ truth: 0, kept: 0, found: 0 }));
  for (const label of truth.label) counts[label]!.truth++;
  for (const row of kept) counts[detections.label[row]!]!.kept++;
  for (const [image, results] of rowsByImage(detections, kept)) {
    for (const label of foundInImage(truth, truthOfImage.get(image) ?? [], detections, results)) counts[label]!.found++;
  }
  const perLabel = counts.map(({ truth: there, kept: all, found }): Counts | null =>
    there + all === 0 ? null : { truePositives: found, falsePositives: all - found, missed: there - found },
  );
  const weighed = perLabel.reduce((sum, one, at) => sum + counts[at]!.truth * ((one && ratesOf(one).f1) ?? 0), 0);
  return { f1: truth.count === 0 ? 0 : weighed / truth.count, perLabel };
}

/** The labels of the pairs of an image, the one that overlaps most first. */
function foundInImage(
  truth: TruthSet,
  truthRows: readonly number[],
  detections: DetectionSet,
  results: readonly number[],
): number[] {
  const pairs = truthRows.flatMap((truthRow) =>
    results.flatMap((row) => {
      if (truth.label[truthRow] !== detections.label[row]) return [];
      // The library rounds overlaps to single precision, which makes some equal.
      const overlap = Math.fround(boxOverlap(detections.box, row, truth.box, truthRow, false));
      return overlap >= 0.5 ? [{ truthRow, row, overlap }] : [];
    }),
  );
  pairs.sort((a, b) => b.overlap - a.overlap);
  const taken = new Set<number>();
  const used = new Set<number>();
  return pairs.flatMap(({ truthRow, row }) => {
    if (taken.has(truthRow) || used.has(row)) return [];
    taken.add(truthRow);
    used.add(row);
    return [truth.label[truthRow]!];
  });
}
