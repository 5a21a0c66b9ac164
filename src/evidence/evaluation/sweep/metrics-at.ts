import { countsAt, ratesOf, type Counts, type LabelSweep, type Rates } from './label-sweep.ts';

export interface LabelAtThreshold extends Counts, Rates {
  readonly label: number;
  readonly threshold: number;
  readonly truth: number;
}

export interface MetricsAt {
  readonly perLabel: readonly LabelAtThreshold[];
  /** counts and rates of all boxes of all labels together */
  readonly total: Counts & Rates;
}

/**
 * Figures at the current thresholds, in time that grows with the labels alone: made for a threshold that is dragged.
 *
 * @param sweeps of `sweepLabels`
 * @param thresholds the lowest score that is kept, by label number; +Infinity: the label is dropped
 * @returns figures of each label and of all boxes
 * @example
 * import { DetectionSetBuilder, TruthSetBuilder } from '../build-sets.ts';
 * import { matchBoxes } from '../match/match-boxes.ts';
 * import { sweepLabels } from './label-sweep.ts';
 * const truth = new TruthSetBuilder();
 * truth.add(0, 0, [0, 0, 10, 10]);
 * const found = new DetectionSetBuilder();
 * found.add(0, 0, [0, 0, 10, 10], 0.9);
 * found.add(0, 0, [50, 0, 10, 10], 0.6);
 * const sweeps = sweepLabels(matchBoxes(truth.build(), found.build(), { imageCount: 1, labels: ['cup'] }));
 * metricsAt(sweeps, [0.7]).total.f1; // => 1
 */
export function metricsAt(sweeps: readonly LabelSweep[], thresholds: ArrayLike<number>): MetricsAt {
  const sum = { truePositives: 0, falsePositives: 0, missed: 0 };
  const perLabel = sweeps.map((sweep): LabelAtThreshold => {
    const threshold = thresholds[sweep.label] ?? 0;
    const counts = countsAt(sweep, threshold);
    sum.truePositives += counts.truePositives;
    sum.falsePositives += counts.falsePositives;
    sum.missed += counts.missed;
    return { label: sweep.label, threshold, truth: sweep.truthCount, ...counts, ...ratesOf(counts) };
  });
  return { perLabel, total: { ...sum, ...ratesOf(sum) } };
}
