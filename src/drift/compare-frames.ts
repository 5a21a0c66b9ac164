import { falseDiscoveryLevels } from './false-discovery.ts';
import type { FrameFeatures } from './frame-features.ts';
import { drivingFrames, type DrivingFrame } from './driving-frames.ts';
import { featureValues, type ComparedFeature } from './feature-values.ts';
import { labelDistance, numberDistance, permutationTest } from './two-sample-test.ts';

/** The frames that are compared. */
export interface ComparedFrames {
  readonly reference: readonly FrameFeatures[];
  readonly later: readonly FrameFeatures[];
}

export interface ComparisonOptions {
  /** share of false shifts among those found, 0..1 */
  readonly level?: number;
  /** how often units are exchanged for each feature */
  readonly permutations?: number;
  /** any whole number */
  readonly seed?: number;
  /** true: where no frame of a side has a box, a model found none; false: such a side was never annotated */
  readonly isAnswered?: boolean;
}

/** How one feature changed. */
export interface FeatureShift {
  readonly feature: ComparedFeature;
  /** greatest difference of the shares on both sides, 0..1 */
  readonly effect: number;
  /** how likely as large a difference is where nothing changed */
  readonly pValue: number;
  /** the same, adjusted for all features that were tested */
  readonly adjustedP: number;
  /** whether it is a shift at the level */
  readonly isShift: boolean;
  readonly reference: FeatureSummary;
  readonly later: FeatureSummary;
  /** the frames that make the difference, the most different first */
  readonly frames: readonly DrivingFrame[];
}

/** One side of a feature, for a plot. */
export type FeatureSummary =
  | { readonly kind: 'numbers'; readonly median: number; /** 41 values, from the lowest to the highest */ readonly quantiles: readonly number[] } // prettier-ignore
  /** share: of the frames that show it */
  | { readonly kind: 'labels'; readonly shares: readonly { readonly label: string; readonly share: number }[] };

/** What a comparison says. */
export interface DriftReport {
  readonly level: number;
  readonly referenceCount: number;
  readonly laterCount: number;
  /** frames, or groups of frames that depend on each other, on both sides */
  readonly referenceUnits: number;
  readonly laterUnits: number;
  /** the largest shifts first, then what was not found to have shifted */
  readonly shifts: readonly FeatureShift[];
  /** features that one side does not have */
  readonly untested: readonly ComparedFeature[];
  /** false: there are too few units for any difference to be told from chance */
  readonly canTell: boolean;
}

const quantileSteps = 40;

/**
 * Compares frames with those of a reference, feature by feature, by permutation of independent units. Shifts are found
 * at a level that bounds the share of false ones among them (Benjamini and Hochberg), and ranked by their size.
 *
 * @param frames of the reference and later ones
 * @param options level (0.05), permutations (1999), seed, and whether a model was asked
 * @returns what shifted, by how much, and by which frames
 * @example
 * const frame = (id, label) => ({ id, name: id, group: '', statistics: null, boxes: [{ label, area: 0.1, score: 0.9 }] });
 * const side = (label) => Array.from({ length: 20 }, (_, at) => frame(`${label}${at}`, label));
 * const { shifts } = compareFrames({ reference: side('cup'), later: side('fork') });
 * [shifts[0].feature, shifts[0].effect, shifts[0].isShift]; // => ['labels', 1, true]
 */
export function compareFrames(
  { reference, later }: ComparedFrames,
  { level = 0.05, permutations = 1999, seed = 1, isAnswered = false }: ComparisonOptions = {},
): DriftReport {
  const units = unitsOfSides(reference, later);
  const values = featureValues([...reference, ...later], units.ofFrame);
  const sides = { unitCount: units.count, referenceUnits: units.ofReference };
  // Frames of which none has a box are frames that nothing annotated, unless a model was asked.
  const isAnnotated = isAnswered || [reference, later].every((side) => side.some(({ boxes }) => boxes.length > 0));
  const tested = values.flatMap((of) => {
    if (of.feature === 'boxes' && !isAnnotated) return [];
    const isReference = (row: number): boolean => units.ofFrame[of.frame[row]!]! < units.ofReference;
    const rows = Array.from(of.value, (_, row) => row);
    const [before, after] = [rows.filter(isReference), rows.filter((row) => !isReference(row))];
    if (before.length === 0 || after.length === 0) return [];
    const distance = of.labels ? labelDistance(of, of.labels.length, units.ofFrame) : numberDistance(of);
    const said = permutationTest(distance, sides, permutations, seed);
    const summary = (own: readonly number[], frameCount: number): FeatureSummary => {
      const seen = own.map((row) => of.value[row]!);
      return of.labels ? labelSummary(seen, of.labels, frameCount) : numberSummary(seen);
    };
    const frames = drivingFrames(of, said, { reference, later });
    return [
      {
        feature: of.feature,
        effect: said.effect,
        pValue: said.pValue,
        reference: summary(before, reference.length),
        later: summary(after, later.length),
        frames,
      },
    ];
  });
  const adjusted = falseDiscoveryLevels(tested.map(({ pValue }) => pValue));
  const shifts = tested
    .map((shift, at): FeatureShift => ({ ...shift, adjustedP: adjusted[at]!, isShift: adjusted[at]! <= level }))
    .sort((a, b) => Number(b.isShift) - Number(a.isShift) || b.effect - a.effect);
  const found = new Set(tested.map(({ feature }) => feature));
  const laterUnits = units.count - units.ofReference;
  return {
    level,
    referenceCount: reference.length,
    laterCount: later.length,
    referenceUnits: units.ofReference,
    laterUnits,
    shifts,
    untested: values.map(({ feature }) => feature).filter((feature) => !found.has(feature)),
    canTell: tested.length > 0 && leastChance(units.ofReference, laterUnits, permutations) * tested.length <= level,
  };
}

/** The least p-value that so many units can give: that of one assignment among all. */
function leastChance(first: number, second: number, permutations: number): number {
  let assignments = 1;
  for (let at = 1; at <= first && assignments < 1e9; at++) assignments *= (second + at) / at;
  return Math.max(1 / assignments, 1 / (1 + permutations));
}

/** Units of both sides; those of the reference come first. A sequence that has frames on both sides is a unit of each. */
function unitsOfSides(reference: readonly FrameFeatures[], later: readonly FrameFeatures[]) {
  const numbers = new Map<string, number>();
  const numberOf = (side: string, { id, group }: FrameFeatures, at: number): number => {
    const key = group === '' ? `${side} frame ${at} ${id}` : `${side} group ${group}`;
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    return number;
  };
  const before = reference.map((frame, at) => numberOf('reference', frame, at));
  const ofReference = numbers.size;
  const after = later.map((frame, at) => numberOf('later', frame, at));
  return { count: numbers.size, ofReference, ofFrame: Uint32Array.from([...before, ...after]) };
}

function numberSummary(values: readonly number[]): FeatureSummary {
  const sorted = Float64Array.from(values).sort();
  const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))]!;
  return {
    kind: 'numbers',
    median: at(0.5),
    quantiles: Array.from({ length: quantileSteps + 1 }, (_, step) => at(step / quantileSteps)),
  };
}

function labelSummary(numbers: readonly number[], labels: readonly string[], frameCount: number): FeatureSummary {
  const counts = labels.map(() => 0);
  for (const number of numbers) counts[number]!++;
  return { kind: 'labels', shares: labels.map((label, at) => ({ label, share: counts[at]! / frameCount })) };
}
