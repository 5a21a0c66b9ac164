import { keptAt, Outcome, type LabelSweep } from '../sweep/label-sweep.ts';

/** What a threshold keeps on each image, and what of it is right; by image number. */
export interface ImageCounts {
  readonly truePositives: Float64Array;
  /** right and wrong ones; ignored results are not among them */
  readonly kept: Float64Array;
  readonly truth: Float64Array;
}

/**
 * Counts image by image what thresholds keep.
 *
 * @param sweeps of `sweepLabels`
 * @param thresholds the lowest score that is kept, by label number; +Infinity: the label is dropped
 * @param imageCount how many images there are
 * @returns counts by image
 * @example
 * import { DetectionSetBuilder, TruthSetBuilder } from '../build-sets.ts';
 * import { matchBoxes } from '../match/match-boxes.ts';
 * import { sweepLabels } from '../sweep/label-sweep.ts';
 * const truth = new TruthSetBuilder();
 * truth.add(1, 0, [0, 0, 10, 10]);
 * const found = new DetectionSetBuilder();
 * found.add(0, 0, [0, 0, 10, 10], 0.9);
 * found.add(1, 0, [0, 0, 10, 10], 0.6);
 * const sweeps = sweepLabels(matchBoxes(truth.build(), found.build(), { imageCount: 2, labels: ['cup'] }));
 * const { truePositives, kept, truth: there } = countByImage(sweeps, [0.5], 2);
 * [[...truePositives], [...kept], [...there]]; // => [[0, 1], [1, 1], [0, 1]]
 */
export function countByImage(
  sweeps: readonly LabelSweep[],
  thresholds: ArrayLike<number>,
  imageCount: number,
): ImageCounts {
  const column = () => new Float64Array(imageCount);
  const counts = { truePositives: column(), kept: column(), truth: column() };
  for (const sweep of sweeps) {
    for (const image of sweep.truthImage) counts.truth[image]!++;
    const kept = keptAt(sweep, thresholds[sweep.label] ?? 0);
    for (let at = 0; at < kept; at++) {
      if (sweep.outcome[at] === Outcome.ignored) continue;
      counts.kept[sweep.image[at]!]!++;
      if (sweep.outcome[at] === Outcome.true) counts.truePositives[sweep.image[at]!]!++;
    }
  }
  return counts;
}
