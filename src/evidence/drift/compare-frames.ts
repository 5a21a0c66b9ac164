import { falseDiscoveryLevels } from '../evaluation/face/intervals.ts';
import type { FrameFeatures } from './frame-features.ts';
import { drivingFrames, type DrivingFrame } from './driving-frames.ts';
import { boxFeatures, featureValues, pictureFeatures, type ComparedFeature } from './feature-values.ts';
import { labelDistance, numberDistance, permutationTest } from './two-sample-test.ts';

interface Sides {
  readonly reference: readonly FrameFeatures[];
  readonly later: readonly FrameFeatures[];
}

/** The frames that are compared. */
export interface ComparedFrames extends Sides {
  /** absent: nothing is known to have answered the frames of either side */
  readonly answeredBy?: { readonly reference: AnsweredBy; readonly later: AnsweredBy };
}

/** Identifies what gave the boxes of all frames: equal for the same service and models; null: they are as they were stored. */
export type AnsweredBy = string | null;

export interface ComparisonOptions {
  /** false discovery rate: of the shifts that are found, the expected share of false ones is at most this; 0..1 */
  readonly level?: number;
  /** how often units are exchanged for each feature */
  readonly permutations?: number;
  /** any whole number */
  readonly seed?: number;
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

/** The report of a comparison. */
export interface DriftReport {
  readonly level: number;
  readonly referenceCount: number;
  readonly laterCount: number;
  /** frames, or groups of frames that depend on each other, on both sides */
  readonly referenceUnits: number;
  readonly laterUnits: number;
  /** the largest shifts first, then what was not found to have shifted */
  readonly shifts: readonly FeatureShift[];
  /** features that one side does not have, and those of boxes where both sides do not have them of one kind */
  readonly untested: readonly ComparedFeature[];
  /** false: there are too few units to find any shift, and none was found */
  readonly canTell: boolean;
  /**
   * by how much darker all later images would have to be for that to be found, 0..1 of full brightness; null: a shift was
   * found, or no darkness would have been
   */
  readonly leastDarkening: number | null;
}

const quantileSteps = 40;
/** Share of a side's frames. Where fewer have boxes, somebody chose which to annotate, and these are not like the others. */
const leastAnnotated = 0.5;

/**
 * Compares frames with those of a reference, feature by feature, by permutation of independent units, and ranks shifts by
 * their size. P-values are adjusted for all features (Benjamini and Hochberg): where nothing changed, the chance of
 * finding any shift is at most the level.
 *
 * Boxes are compared where both sides have them of one kind: of all frames where the same service answered both sides,
 * else of the frames that have some, if these are at least half of each side, and people drew all or models all.
 *
 * @param frames of the reference and later ones, and what answered them
 * @param options level (0.05), permutations (1999) and seed
 * @returns what shifted, by how much, and by which frames
 * @example
 * const frame = (id, label) => ({ id, name: id, group: '', statistics: null, boxes: [{ label, area: 0.1, score: 0.9 }] });
 * const side = (label) => Array.from({ length: 20 }, (_, at) => frame(`${label}${at}`, label));
 * const { shifts } = compareFrames({ reference: side('cup'), later: side('fork') });
 * [shifts[0].feature, shifts[0].effect, shifts[0].isShift]; // => ['labels', 1, true]
 */
export function compareFrames(
  frames: ComparedFrames,
  { level = 0.05, permutations = 1999, seed = 1 }: ComparisonOptions = {},
): DriftReport {
  const { reference, later } = frames;
  const units = unitsOfSides(frames);
  const features: readonly ComparedFeature[] = [...pictureFeatures, ...boxFeatures];
  const tells = ({ ofReference, count }: SideUnits, tests: number): boolean =>
    leastChance(ofReference, count - ofReference, permutations) * tests <= level;
  const boxed = sidesWithBoxes(frames, (sides) => tells(unitsOfSides(sides), features.length));
  const tested = [
    ...testFeatures(frames, pictureFeatures, permutations, seed),
    ...(boxed ? testFeatures(boxed, boxFeatures, permutations, seed) : []),
  ];
  const adjusted = falseDiscoveryLevels(tested.map(({ pValue }) => pValue));
  const shifts = tested
    .map((shift, at): FeatureShift => ({ ...shift, adjustedP: adjusted[at]!, isShift: adjusted[at]! <= level }))
    .sort((a, b) => Number(b.isShift) - Number(a.isShift) || b.effect - a.effect);
  const found = new Set(tested.map(({ feature }) => feature));
  const canTell = (tested.length > 0 && tells(units, tested.length)) || shifts.some(({ isShift }) => isShift);
  const isQuiet = canTell && !shifts.some(({ isShift }) => isShift);
  return {
    level,
    referenceCount: reference.length,
    laterCount: later.length,
    referenceUnits: units.ofReference,
    laterUnits: units.count - units.ofReference,
    shifts,
    untested: features.filter((feature) => !found.has(feature)),
    canTell,
    leastDarkening: isQuiet && found.has('brightness') ? leastDarkening(frames, level / tested.length, seed) : null,
  };
}

/** Halvings of the brightness in which it is looked for, and exchanges of each: about two tests of a feature together. */
const [darkenings, exchanges] = [8, 499];

/** By how much darker all later frames would have to be for a p-value of at most `level`, alone among the features. */
function leastDarkening({ reference, later }: Sides, level: number, seed: number): number | null {
  const isFound = (by: number): boolean => {
    const darker = later.map(({ statistics: seen, ...frame }) => ({
      ...frame,
      statistics: seen && { ...seen, brightness: seen.brightness - by },
    }));
    const [said] = testFeatures({ reference, later: darker }, ['brightness'], exchanges, seed);
    return said !== undefined && said.pValue <= level;
  };
  if (!isFound(1)) return null;
  let [low, high] = [0, 1];
  for (let halving = 0; halving < darkenings; halving++) {
    const middle = (low + high) / 2;
    if (isFound(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/**
 * Whether it is unknown of some frames of a side which others they depend on: then a shift cannot be told from chance.
 *
 * @param frames of one side
 * @returns true: nothing is known of some
 * @example isDependenceOpen([{ group: 'minute 1 of cam' }, { group: '' }]); // => true
 */
export const isDependenceOpen = (frames: readonly Pick<FrameFeatures, 'group'>[]): boolean =>
  frames.some(({ group }) => group === '');

/** The frames whose boxes are compared; null: the boxes of both sides are not of one kind, or those of too few frames. */
function sidesWithBoxes(
  { reference, later, answeredBy }: ComparedFrames,
  areEnough: (sides: Sides) => boolean,
): Sides | null {
  if (answeredBy && answeredBy.reference !== answeredBy.later) return null;
  // A service that answered a frame without a box found none; otherwise such a frame may not be annotated.
  if (answeredBy && answeredBy.later !== null) return { reference, later };
  const annotated = (side: readonly FrameFeatures[]) => side.filter(({ boxes }) => boxes.length > 0);
  const sides = { reference: annotated(reference), later: annotated(later) };
  const boxes = [...sides.reference, ...sides.later].flatMap((frame) => frame.boxes);
  const isOneKind = new Set(boxes.map(({ score }) => score === null)).size === 1;
  const isMost =
    sides.reference.length >= leastAnnotated * reference.length && sides.later.length >= leastAnnotated * later.length;
  return isOneKind && isMost && areEnough(sides) ? sides : null;
}

function testFeatures(
  frames: Sides,
  wanted: readonly ComparedFeature[],
  permutations: number,
  seed: number,
): readonly Omit<FeatureShift, 'adjustedP' | 'isShift'>[] {
  const { reference, later } = frames;
  const units = unitsOfSides(frames);
  const sides = { unitCount: units.count, referenceUnits: units.ofReference };
  const values = featureValues([...reference, ...later], units.ofFrame);
  return values.flatMap((of) => {
    if (!wanted.includes(of.feature)) return [];
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
    return [
      {
        feature: of.feature,
        effect: said.effect,
        pValue: said.pValue,
        reference: summary(before, reference.length),
        later: summary(after, later.length),
        frames: drivingFrames(of, said, frames),
      },
    ];
  });
}

/** The least p-value that so many units can give: that of one assignment among all. */
function leastChance(first: number, second: number, permutations: number): number {
  let assignments = 1;
  for (let at = 1; at <= first && assignments < 1e9; at++) assignments *= (second + at) / at;
  return Math.max(1 / assignments, 1 / (1 + permutations));
}

interface SideUnits {
  readonly count: number;
  readonly ofReference: number;
  /** number of the unit of each frame, of the reference's and then of the later ones */
  readonly ofFrame: Uint32Array;
}

/** Units of both sides; those of the reference come first. A sequence that has frames on both sides is a unit of each. */
function unitsOfSides({ reference, later }: Sides): SideUnits {
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
