import type { DetectionSet, EvaluationSpace, TruthSet } from '../evaluation.ts';
import type { MatchOptions } from '../match/match-boxes.ts';
import { measureBoxes, summarize, type EvaluationSummary, type MeasuredBoxes } from '../summary/summarize.ts';
import { sweepLabels, type LabelSweep } from '../sweep/label-sweep.ts';
import { restrictSweep, type Units } from '../choose/choose-threshold.ts';
import { compareDetections, type DetectionChanges } from './compare-detections.ts';
import {
  measureAveragePrecision,
  compareFigures,
  type FigureDifference,
  type MeasuredDifference,
} from './compare-figures.ts';
import { renamedLabels, type RenamedLabels } from './renamed-labels.ts';

/** What one run found, and the truth that its camera shows. */
export interface RunBoxes {
  readonly truth: TruthSet;
  readonly detections: DetectionSet;
}

/** Two runs on the same images; both number images and labels as `space` has them. */
export interface RunPair {
  readonly space: EvaluationSpace;
  readonly first: RunBoxes;
  readonly second: RunBoxes;
  /** which images belong together */
  readonly units: Units;
  readonly ignoreRule: NonNullable<MatchOptions['ignoreRule']>;
}

/** Two runs with all of their comparison that no threshold changes. */
export interface MeasuredPair {
  readonly pair: RunPair;
  readonly measured: readonly [first: MeasuredBoxes, second: MeasuredBoxes];
  /** those of labels that are left out of what is judged have nothing in them */
  readonly sweeps: readonly [first: readonly LabelSweep[], second: readonly LabelSweep[]];
  readonly averagePrecision: readonly MeasuredDifference[];
  readonly strangers: Strangers | null;
  readonly renamed: RenamedLabels;
}

/** What two runs call their boxes, where no name is in common: nothing tells which is better. */
export interface Strangers {
  readonly first: readonly string[];
  readonly second: readonly string[];
}

/** The lowest scores that are kept, by label number, and from which distance on a box has moved. */
export interface ComparedAt {
  readonly firstThresholds: ArrayLike<number>;
  readonly secondThresholds: ArrayLike<number>;
  /** in pixels of the source picture */
  readonly movedMoreThanPx: number;
}

/** What becomes of the first run's boxes in the second, and what that is worth. */
export interface RunComparison extends DetectionChanges {
  readonly first: EvaluationSummary;
  readonly second: EvaluationSummary;
  readonly figures: readonly FigureDifference[];
  /** null: some label is in common, or a run found nothing */
  readonly strangers: Strangers | null;
  /** labels that are in no difference, as each run calls them by a name of its own; null: there are none */
  readonly leftOut: Strangers | null;
}

/**
 * Matches both runs to truth: the costly part of a comparison, done once for all thresholds. Each run is counted against
 * the truth that its own camera shows.
 *
 * @param pair two runs on the same images
 * @returns what `compareRuns` needs
 * @throws RangeError for an image or label number out of range
 * @example
 * import { DetectionSetBuilder, TruthSetBuilder } from '../build-sets.ts';
 * const truth = new TruthSetBuilder();
 * truth.add(0, 0, [0, 0, 10, 10]);
 * const found = new DetectionSetBuilder();
 * found.add(0, 0, [0, 0, 10, 10], 0.9);
 * const first = { truth: truth.build(), detections: found.build() };
 * const second = { truth: truth.build(), detections: new DetectionSetBuilder().build() };
 * const space = { imageCount: 1, labels: ['cup'] };
 * const pair = { space, first, second, units: { count: 1, ofImage: [0] }, ignoreRule: 'crowd' };
 * measureRuns(pair).averagePrecision[0].second; // => 0
 */
export function measureRuns(pair: RunPair): MeasuredPair {
  const { space, first, second, units, ignoreRule } = pair;
  const measure = ({ truth, detections }: RunBoxes): MeasuredBoxes =>
    measureBoxes(truth, detections, space, ignoreRule);
  const measured = [measure(first), measure(second)] as const;
  const strangers = strangersOf(pair);
  const renamed = strangers ? { first: [], second: [] } : renamedLabels(first.detections, second.detections, space);
  const leftOut = new Set([...renamed.first, ...renamed.second]);
  const judged = ({ matches }: MeasuredBoxes): readonly LabelSweep[] =>
    sweepLabels(matches).map((sweep) => (leftOut.has(sweep.label) ? restrictSweep(sweep, () => false) : sweep));
  const sweeps = [judged(measured[0]), judged(measured[1])] as const;
  const averagePrecision = measureAveragePrecision(...sweeps, units);
  return { pair, measured, sweeps, averagePrecision, strangers, renamed };
}

function strangersOf({ space, first, second }: RunPair): Strangers | null {
  const [ours, theirs] = [new Set(first.detections.label), new Set(second.detections.label)];
  if (ours.size === 0 || theirs.size === 0 || [...ours].some((label) => theirs.has(label))) return null;
  const rising = (numbers: ReadonlySet<number>): number[] => [...numbers].sort((a, b) => a - b);
  return namesOf({ first: rising(ours), second: rising(theirs) }, space);
}

const namesOf = ({ first, second }: RenamedLabels, { labels }: EvaluationSpace): Strangers => ({
  first: first.map((one) => labels[one]!),
  second: second.map((one) => labels[one]!),
});

/**
 * Compares two runs at given thresholds.
 *
 * @param measured of `measureRuns`
 * @param at thresholds and distance
 * @returns changes box by box, the figures of both, and how they differ
 * @example
 * import { DetectionSetBuilder, TruthSetBuilder } from '../build-sets.ts';
 * const truth = new TruthSetBuilder();
 * truth.add(0, 0, [0, 0, 10, 10]);
 * const found = new DetectionSetBuilder();
 * found.add(0, 0, [0, 0, 10, 10], 0.9);
 * const run = { truth: truth.build(), detections: found.build() };
 * const space = { imageCount: 1, labels: ['cup'] };
 * const units = { count: 1, ofImage: [0] };
 * const measured = measureRuns({ space, first: run, second: run, units, ignoreRule: 'crowd' });
 * const at = { firstThresholds: [0.5], secondThresholds: [0.95], movedMoreThanPx: 2 };
 * compareRuns(measured, at).counts.vanished; // => 1
 */
export function compareRuns(
  { pair: { space, first, second, units }, measured, sweeps, averagePrecision, strangers, renamed }: MeasuredPair,
  { firstThresholds, secondThresholds, movedMoreThanPx }: ComparedAt,
): RunComparison {
  const figures = compareFigures(
    { sweeps: sweeps[0], thresholds: firstThresholds },
    { sweeps: sweeps[1], thresholds: secondThresholds },
    units,
    averagePrecision,
  );
  return {
    ...compareDetections(first.detections, second.detections, { firstThresholds, secondThresholds, movedMoreThanPx }),
    first: summarize(measured[0], first.detections, space, firstThresholds).summary,
    second: summarize(measured[1], second.detections, space, secondThresholds).summary,
    figures: strangers ? figures.map(undecided) : figures,
    strangers,
    leftOut: renamed.first.length > 0 ? namesOf(renamed, space) : null,
  };
}

const undecided = (one: FigureDifference): FigureDifference => ({
  ...one,
  difference: null,
  verdict: 'cannot tell',
  unitsToTell: null,
});
