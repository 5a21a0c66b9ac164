import { Outcome, type LabelSweep } from './label-sweep.ts';

/** How many boxes have which score: bin i holds the scores from i / bins on; what lies outside 0..1 is in the end bins. */
export interface ScoreHistogram {
  /** boxes that find truth */
  readonly right: Uint32Array;
  readonly wrong: Uint32Array;
  /** truth that no box finds, whatever its score */
  readonly neverFound: number;
}

/**
 * Where the scores of true and false boxes lie. True boxes left of a threshold are what it misses, beside the truth that
 * is never found.
 *
 * @param sweeps of the labels that are shown
 * @param bins how many
 * @returns counts by bin
 * @example
 * import { DetectionSetBuilder, TruthSetBuilder } from '../build-sets.ts';
 * import { matchBoxes } from '../match/match-boxes.ts';
 * import { sweepLabels } from './label-sweep.ts';
 * const truth = new TruthSetBuilder();
 * truth.add(0, 0, [0, 0, 10, 10]);
 * truth.add(0, 0, [90, 0, 10, 10]);
 * const found = new DetectionSetBuilder();
 * found.add(0, 0, [0, 0, 10, 10], 0.9);
 * found.add(0, 0, [50, 0, 10, 10], 0.6);
 * const sweeps = sweepLabels(matchBoxes(truth.build(), found.build(), { imageCount: 1, labels: ['cup'] }));
 * const { right, wrong, neverFound } = scoreHistogram(sweeps, 2);
 * [[...right], [...wrong], neverFound]; // => [[0, 1], [0, 1], 1]
 */
export function scoreHistogram(sweeps: readonly LabelSweep[], bins: number): ScoreHistogram {
  const [right, wrong] = [new Uint32Array(bins), new Uint32Array(bins)];
  let neverFound = 0;
  for (const { score, outcome, truthCount, truePositives } of sweeps) {
    neverFound += truthCount - truePositives.at(-1)!;
    for (let at = 0; at < score.length; at++) {
      const bin = Math.min(bins - 1, Math.max(0, Math.floor(score[at]! * bins)));
      if (outcome[at] === Outcome.true) right[bin]!++;
      else if (outcome[at] === Outcome.false) wrong[bin]!++;
    }
  }
  return { right, wrong, neverFound };
}
