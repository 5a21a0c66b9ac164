import { rateInterval, shareInterval, type Estimate } from '../intervals/ratio-interval.ts';
import { shuffled } from '../intervals/seeded-numbers.ts';
import {
  countsOfBest,
  keptAt,
  Outcome,
  ratesOf,
  thresholdOfCut,
  type Counts,
  type LabelSweep,
  type Rates,
} from '../sweep/label-sweep.ts';
import { chooseCut, type Goal } from './goal.ts';

/** Which images belong together. */
export interface Units {
  readonly count: number;
  /** by image number; frames of one clip have the same */
  readonly ofImage: ArrayLike<number>;
}

export interface ThresholdChoice {
  readonly label: number;
  /** keeps exactly the boxes that were counted */
  readonly threshold: number;
  /** false: no threshold reaches the goal on these frames, and this one comes nearest */
  readonly reaches: boolean;
  /** on the very frames that it was chosen on: too good */
  readonly seen: Counts & Rates;
  /** on other frames: chosen on some of the units and counted on the others, each unit once */
  readonly expected: ExpectedFigures;
  /** units with truth or kept results of the label */
  readonly units: number;
  /** null: the interval can be relied on and is narrow enough */
  readonly tooFew: TooFewUnits | null;
}

/**
 * Why units are too few. `atLeast`: below so many intervals may be narrow by luck, and hold less often than they say.
 * `moreToHalve`: the interval is wide, and about so many more would halve it.
 */
export type TooFewUnits = { readonly atLeast: number } | { readonly moreToHalve: number };

export interface ExpectedFigures {
  readonly precision: Estimate | null;
  readonly recall: Estimate | null;
  readonly f1: Estimate | null;
  /** false boxes an image */
  readonly falsePerImage: Estimate | null;
}

export interface ChoiceOptions {
  /** default: each image is a unit */
  readonly units?: Units;
  /** default: 10 */
  readonly parts?: number;
  /** the same seed gives the same figures; default: 1 */
  readonly seed?: number;
}

/** An interval wider than this says little: 0.8 may be 0.7 or 0.9. */
const widestUseful = 0.2;
/** From so many on, intervals hold what they say in all worlds of bench/figures/coverage.ts. */
const fewestUnits = 40;

/**
 * Chooses a label's threshold by goal, and says what it will do on other frames. A threshold that was chosen on some
 * frames does worse on others, so the figures are cross-fitted: chosen on all parts of the units but one and counted on
 * that one, in turn. Intervals take units as what was drawn independently.
 *
 * @param sweep of the label
 * @param imageCount how many images were looked at
 * @param goal what for
 * @param options units, parts and seed
 * @returns null: there is no truth of the label, or no result of it is right, so that every threshold is as bad
 * @example
 * import { DetectionSetBuilder, TruthSetBuilder } from '../build-sets.ts';
 * import { matchBoxes } from '../match/match-boxes.ts';
 * import { sweepLabels } from '../sweep/label-sweep.ts';
 * const truth = new TruthSetBuilder();
 * truth.add(0, 0, [0, 0, 10, 10]);
 * const found = new DetectionSetBuilder();
 * found.add(0, 0, [0, 0, 10, 10], 0.9);
 * found.add(0, 0, [50, 0, 10, 10], 0.6);
 * const [cup] = sweepLabels(matchBoxes(truth.build(), found.build(), { imageCount: 1, labels: ['cup'] }));
 * chooseThreshold(cup, 1, { kind: 'precision', atLeast: 0.9 }).threshold; // => 0.8
 */
export function chooseThreshold(
  sweep: LabelSweep,
  imageCount: number,
  goal: Goal,
  { units = eachImage(imageCount), parts = 10, seed = 1 }: ChoiceOptions = {},
): ThresholdChoice | null {
  if (!canChoose(sweep)) return null;
  const { kept, reaches } = chooseCut(sweep, goal, imageCount);
  const crossed = crossFit(sweep, imageCount, goal, units, Math.min(parts, units.count), seed);
  const expected = expectedOf(crossed, sweep, imageCount);
  const counts = countsOfBest(sweep, kept);
  const informed = crossed.informed;
  const judged = judgedBy(goal, expected);
  const isWide = judged === null || judged.high - judged.low > widestFor(goal);
  return {
    label: sweep.label,
    threshold: thresholdOfCut(sweep, kept),
    reaches,
    seen: { ...counts, ...ratesOf(counts) },
    expected,
    units: informed,
    tooFew: informed < fewestUnits ? { atLeast: fewestUnits } : isWide ? { moreToHalve: 3 * informed } : null,
  };
}

/**
 * @param sweep of a label
 * @returns whether a threshold can be chosen for it by what was found: there is truth, and some result is right
 * @example
 * canChoose({ truthCount: 3, truePositives: Uint32Array.of(0, 0, 0) }); // => false
 */
export function canChoose({ truthCount, truePositives }: Pick<LabelSweep, 'truthCount' | 'truePositives'>): boolean {
  return truthCount > 0 && truePositives.at(-1)! > 0;
}

/** The figure whose interval decides whether there are enough frames. */
function judgedBy(goal: Goal, { precision, recall, f1, falsePerImage }: ExpectedFigures): Estimate | null {
  if (goal.kind === 'precision') return precision;
  if (goal.kind === 'false-per-hour') return falsePerImage;
  return goal.kind === 'recall' ? recall : f1;
}

/** An interval of false boxes says little where it is wider than the number that is allowed. */
const widestFor = (goal: Goal): number =>
  goal.kind === 'false-per-hour' ? goal.atMost / (3600 * goal.framesPerSecond) : widestUseful;

const eachImage = (count: number): Units => ({ count, ofImage: Uint32Array.from({ length: count }, (_, at) => at) });

/** What happened on each unit, at thresholds that were chosen without it. */
interface CrossedUnits {
  readonly truePositives: Float64Array;
  readonly falsePositives: Float64Array;
  readonly truth: Float64Array;
  readonly images: Float64Array;
  readonly informed: number;
  /** how many of all results the threshold keeps that was chosen without each part */
  readonly cuts: readonly number[];
  readonly partOfUnit: Uint32Array;
}

function crossFit(
  sweep: LabelSweep,
  imageCount: number,
  goal: Goal,
  { count, ofImage }: Units,
  parts: number,
  seed: number,
): CrossedUnits {
  const columns = () => new Float64Array(count);
  const crossed = { truePositives: columns(), falsePositives: columns(), truth: columns(), images: columns() };
  const partOfUnit = new Uint32Array(count);
  for (const image of sweep.truthImage) crossed.truth[ofImage[image]!]!++;
  for (let image = 0; image < imageCount; image++) crossed.images[ofImage[image]!]!++;
  for (const [place, unit] of shuffled(count, seed).entries()) partOfUnit[unit] = place % parts;
  const cuts: number[] = [];
  for (let part = 0; part < parts; part++) {
    const isOther = (image: number): boolean => partOfUnit[ofImage[image]!] !== part;
    const others = restrictSweep(sweep, isOther);
    let otherImages = 0;
    for (let image = 0; image < imageCount; image++) if (isOther(image)) otherImages++;
    const threshold = thresholdOfCut(others, chooseCut(others, goal, otherImages).kept);
    const kept = keptAt(sweep, threshold);
    cuts.push(kept);
    for (let at = 0; at < kept; at++) {
      const unit = ofImage[sweep.image[at]!]!;
      if (partOfUnit[unit] !== part) continue;
      if (sweep.outcome[at] === Outcome.true) crossed.truePositives[unit]!++;
      else if (sweep.outcome[at] === Outcome.false) crossed.falsePositives[unit]!++;
    }
  }
  let informed = 0;
  for (let unit = 0; unit < count; unit++) {
    if (crossed.truth[unit]! + crossed.truePositives[unit]! + crossed.falsePositives[unit]! > 0) informed++;
  }
  return { ...crossed, informed, cuts, partOfUnit };
}

/**
 * @param sweep of a label
 * @param isIn which images count
 * @returns the sweep of these images alone
 * @example restrictSweep(sweep, (image) => image < 20);
 */
export function restrictSweep(sweep: LabelSweep, isIn: (image: number) => boolean): LabelSweep {
  const places = new Uint32Array(sweep.score.length);
  let count = 0;
  for (let at = 0; at < sweep.score.length; at++) if (isIn(sweep.image[at]!)) places[count++] = at;
  const score = new Float64Array(count);
  const outcome = new Uint8Array(count);
  const [image, row] = [new Uint32Array(count), new Uint32Array(count)];
  const [truePositives, falsePositives] = [new Uint32Array(count + 1), new Uint32Array(count + 1)];
  for (let to = 0; to < count; to++) {
    const from = places[to]!;
    score[to] = sweep.score[from]!;
    image[to] = sweep.image[from]!;
    row[to] = sweep.row[from]!;
    outcome[to] = sweep.outcome[from]!;
    truePositives[to + 1] = truePositives[to]! + (outcome[to] === Outcome.true ? 1 : 0);
    falsePositives[to + 1] = falsePositives[to]! + (outcome[to] === Outcome.false ? 1 : 0);
  }
  const truthImage = sweep.truthImage.filter(isIn);
  const { label } = sweep;
  return {
    label,
    truthCount: truthImage.length,
    score,
    image,
    row,
    outcome,
    truePositives,
    falsePositives,
    truthImage,
  };
}

function expectedOf(
  { truePositives, falsePositives, truth, images, cuts, informed, partOfUnit }: CrossedUnits,
  sweep: LabelSweep,
  imageCount: number,
): ExpectedFigures {
  // The units next to the line decide which boxes are kept, and they are few.
  const freedom = Math.max(1, Math.floor(informed / 4));
  const twice = truePositives.map((count) => 2 * count);
  const kept = truePositives.map((count, unit) => count + falsePositives[unit]!);
  const all = kept.map((count, unit) => count + truth[unit]!);
  const seen = cuts.map((cut) => {
    const counts = countsOfBest(sweep, cut);
    return { ...ratesOf(counts), falsePerImage: counts.falsePositives / imageCount };
  });
  // A part whose threshold fell low keeps many boxes, and would outweigh the others in a precision of all boxes: each
  // part's boxes are weighed as if its threshold kept as many as the others' do.
  const sizes = cuts.map((cut) => Math.max(1, sweep.truePositives[cut]! + sweep.falsePositives[cut]!));
  const meanSize = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
  const weighed = (counts: Float64Array) => counts.map((count, unit) => (count * meanSize) / sizes[partOfUnit[unit]!]!);
  const moved = (figure: keyof ExpectedFigures): number => choiceVariance(seen.map((one) => one[figure] ?? 0));
  return {
    precision: shareInterval(weighed(truePositives), weighed(kept), moved('precision'), freedom),
    recall: shareInterval(truePositives, truth, moved('recall')),
    // 2 TP / (2 TP + FP + FN), and FN + TP is the truth
    f1: shareInterval(twice, all, moved('f1'), freedom),
    falsePerImage: rateInterval(falsePositives, images, moved('falsePerImage'), freedom),
  };
}

/**
 * How much the choice itself moves a figure, by what it changes where a part of the units is left out. The jackknife
 * of what jumps from one score to another is too large: an eighth of it makes the intervals cover what they say, in the
 * worlds of choose-coverage.test.ts and, with more runs, of bench/figures/coverage.ts.
 */
function choiceVariance(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return ((values.length - 1) / values.length) * squares * 0.12;
}
