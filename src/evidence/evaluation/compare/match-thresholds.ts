import { chooseCut } from '../choose/goal.ts';
import type { DetectionSet, EvaluationSpace, TruthSet } from '../evaluation.ts';
import { matchBoxes } from '../match/match-boxes.ts';
import { countsAt, countsOfBest, ratesOf, sweepLabels, thresholdOfCut, type Counts } from '../sweep/label-sweep.ts';
import { keptRows } from './compare-detections.ts';

/** How far a label's kept boxes are those that the other run keeps. */
export interface Agreement {
  /** how many boxes are kept */
  readonly kept: number;
  /** how many of them the other run keeps, too: same label, overlap of at least 0.5 */
  readonly shared: number;
}

export interface MatchedThreshold {
  readonly label: number;
  /** how many boxes the other run keeps */
  readonly wanted: number;
  /** at the present threshold */
  readonly now: Agreement;
  /** null: no threshold agrees better than the present one */
  readonly change: { readonly threshold: number; readonly then: Agreement } | null;
}

/**
 * Thresholds by which a run keeps what another one keeps, such as an int8 model what its float one kept. No truth is
 * asked: the other run's kept boxes stand for it, and of each label the threshold of the best F1 is taken. It is as good
 * as the other run, not better.
 *
 * @param run whose thresholds are chosen
 * @param thresholds of that run at present, by label number
 * @param other the run to agree with
 * @param otherThresholds at which it keeps what it keeps
 * @param space of both
 * @returns the labels of which either run has something, in the labels' order
 * @example
 * import { DetectionSetBuilder } from '../build-sets.ts';
 * const [float, int8] = [new DetectionSetBuilder(), new DetectionSetBuilder()];
 * float.add(0, 0, [0, 0, 10, 10], 0.6);
 * int8.add(0, 0, [0, 0, 10, 10], 0.4);
 * int8.add(0, 0, [50, 0, 10, 10], 0.2);
 * const space = { imageCount: 1, labels: ['cup'] };
 * matchThresholds(int8.build(), [0.5], float.build(), [0.5], space)[0].change.threshold; // => 0.3
 */
export function matchThresholds(
  run: DetectionSet,
  thresholds: ArrayLike<number>,
  other: DetectionSet,
  otherThresholds: ArrayLike<number>,
  space: EvaluationSpace,
): MatchedThreshold[] {
  const matches = matchBoxes(asTruth(other, keptRows(other, otherThresholds)), run, space, { maxDetections: Infinity });
  return sweepLabels(matches).flatMap((sweep): MatchedThreshold[] => {
    const { label, truthCount: wanted, score } = sweep;
    if (wanted === 0 && score.length === 0) return [];
    const present = countsAt(sweep, thresholds[label] ?? -Infinity);
    const { kept } = chooseCut(sweep, { kind: 'best-f1' }, space.imageCount);
    const best = countsOfBest(sweep, kept);
    const isBetter = worthOf(best) > worthOf(present);
    const change = isBetter ? { threshold: thresholdOfCut(sweep, kept), then: agreementOf(best) } : null;
    return [{ label, wanted, now: agreementOf(present), change }];
  });
}

const agreementOf = ({ truePositives, falsePositives }: Counts): Agreement => ({
  kept: truePositives + falsePositives,
  shared: truePositives,
});

/** Where nothing is wanted, keeping nothing agrees wholly. */
const worthOf = (counts: Counts): number => ratesOf(counts).f1 ?? 1;

function asTruth({ image, label, box }: DetectionSet, rows: readonly number[]): TruthSet {
  const count = rows.length;
  const boxes = new Float64Array(4 * count);
  for (const [at, row] of rows.entries()) boxes.set(box.subarray(4 * row, 4 * row + 4), 4 * at);
  return {
    count,
    image: Uint32Array.from(rows, (row) => image[row]!),
    label: Uint32Array.from(rows, (row) => label[row]!),
    box: boxes,
    area: Float64Array.from(rows, (_, at) => boxes[4 * at + 2]! * boxes[4 * at + 3]!),
    crowd: new Uint8Array(count),
    ignore: new Uint8Array(count),
  };
}
