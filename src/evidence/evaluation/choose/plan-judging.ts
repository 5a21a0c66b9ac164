import { normalQuantile, studentQuantile } from '../intervals/quantiles.ts';
import { wilsonInterval, type Estimate } from '../intervals/ratio-interval.ts';
import { seededNumbers } from '../intervals/seeded-numbers.ts';

/**
 * Where the scores of a label are parted for judging, ascending: the lowest score that comes into question, the line, and
 * two cuts above it. They stay as they are while images come and go.
 */
export type StrataEdges = readonly [lowest: number, line: number, second: number, third: number];

/** Boxes of like score, drawn from with one probability. */
export interface Stratum {
  /** scores from this one on, and below the next stratum's */
  readonly from: number;
  readonly below: number;
  /** how many boxes it has */
  readonly size: number;
}

/** One box to be judged. Keep it with the judgement: without its stratum a judgement estimates nothing. */
export interface DrawnBox {
  /** number in the scores that were given */
  readonly row: number;
  readonly score: number;
  readonly stratum: number;
  /** how likely this box was to be drawn, above 0 */
  readonly probability: number;
}

export interface JudgingPlan {
  readonly strata: readonly Stratum[];
  /** in an order in which one may stop early: every part of it draws from all strata alike */
  readonly drawn: readonly DrawnBox[];
  /** all scores, ascending */
  readonly ascending: Float64Array;
}

export interface Judgement extends DrawnBox {
  readonly isRight: boolean;
}

/** How unsure the boxes above the line are taken to be, next to the line first. */
const unsureness = [0.5, 0.4, 0.3] as const;
/** Share of the judgements that go below the line: to where it might be moved. */
const shareBelow = 0.2;
/** The quantile level for either side of a 95 % interval. */
const level = 0.975;

/**
 * Parts scores around a line: three parts above it, of as many boxes each, and below it as many boxes as above.
 *
 * @param scores of all boxes of a label
 * @param line the threshold that is in question
 * @returns the edges; equal scores are never parted
 * @example
 * strataAround(Float64Array.of(0.1, 0.2, 0.6, 0.7, 0.8), 0.5); // => [0.1, 0.5, 0.7, 0.8]
 */
export function strataAround(scores: Float64Array, line: number): StrataEdges {
  const ascending = scores.toSorted();
  const firstAbove = placeOf(ascending, line);
  const count = ascending.length - firstAbove;
  const cut = (part: number): number => ascending[firstAbove + Math.floor((part * count) / unsureness.length)] ?? line;
  const lowest = ascending[Math.max(0, firstAbove - count)] ?? line;
  return [Math.min(lowest, line), line, cut(1), cut(2)];
}

/**
 * The lot of a box: a number that looks random, the same on every visit.
 *
 * @param name of the box, such as the id of its image and its number there
 * @returns from 0 below 1
 * @example
 * lotOf('image 7, box 2') === lotOf('image 7, box 2'); // => true
 */
export function lotOf(name: string): number {
  let hash = 0x811c9dc5; // FNV-1a
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  return seededNumbers(hash)() / 2 ** 32;
}

/**
 * Draws boxes to be judged right or wrong, without any truth: by strata of score around the line and away from it, most
 * where a box may be either. A box is drawn by its lot, which stays with it: a larger budget draws the same boxes and
 * more, and where images come or go, the others' boxes keep their turn.
 *
 * @param scores of all boxes of a label
 * @param edges of `strataAround`
 * @param budget how many are to be judged
 * @param lots a random number of each box; the lowest of a stratum are drawn
 * @returns strata, and the boxes to judge
 * @example
 * const scores = Float64Array.of(0.6, 0.7, 0.8);
 * const { drawn } = planJudging(scores, strataAround(scores, 0.5), 40, Float64Array.of(0.3, 0.1, 0.2));
 * drawn.length; // => 3
 */
export function planJudging(
  scores: Float64Array,
  edges: StrataEdges,
  budget: number,
  lots: ArrayLike<number>,
): JudgingPlan {
  const ascending = scores.toSorted();
  const below = (stratum: number): number => edges[stratum + 1] ?? Infinity;
  const groups = edges.map((): number[] => []);
  for (const [row, score] of scores.entries()) {
    const stratum = edges.findIndex((from, at) => score >= from && score < below(at));
    if (stratum >= 0) groups[stratum]!.push(row);
  }
  const strata = edges.map((from, at): Stratum => ({ from, below: below(at), size: groups[at]!.length }));
  const [beneath, ...above] = groups as [number[], ...number[][]];
  const aboveCount = above.reduce((sum, { length }) => sum + length, 0);
  // Where too few lie above the line, the others come from below it: as many as asked are drawn while there are so many.
  const budgetBelow = Math.min(beneath.length, Math.max(Math.round(budget * shareBelow), budget - aboveCount));
  const counts = [budgetBelow, ...apportioned(budget - budgetBelow, above)];
  const turns = groups.flatMap((group, stratum) => {
    const count = counts[stratum]!;
    const best = group.sort((a, b) => lots[a]! - lots[b]! || a - b).slice(0, count);
    return best.map((row, rank) => ({
      turn: (rank + 0.5) / count,
      box: { row, score: scores[row]!, stratum, probability: count / group.length },
    }));
  });
  turns.sort((a, b) => a.turn - b.turn);
  return { strata, drawn: turns.map(({ box }) => box), ascending };
}

/** At least two of each group that has so many, the rest by unsureness and size; never more than there are. */
function apportioned(budget: number, groups: readonly (readonly number[])[]): number[] {
  const counts = groups.map(({ length }) => Math.min(2, length));
  const weights = groups.map(({ length }, part) => length * unsureness[part]!);
  for (let left = budget - counts.reduce((sum, count) => sum + count, 0); left > 0; left--) {
    let neediest = -1;
    for (const [part, { length }] of groups.entries()) {
      if (counts[part]! >= length) continue;
      if (neediest < 0 || weights[part]! / counts[part]! > weights[neediest]! / counts[neediest]!) neediest = part;
    }
    if (neediest < 0) break;
    counts[neediest]!++;
  }
  return counts;
}

/** How many of ascending scores lie below a threshold. */
function placeOf(ascending: Float64Array, threshold: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle]! < threshold) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Precision at a threshold from judged boxes, each weighed by how likely it was to be drawn, with an interval from the
 * spread inside the strata. It is the precision among these very boxes; judged boxes say nothing of what was missed.
 *
 * @param plan that the boxes were drawn by
 * @param judgements so far: of each stratum those whose turn came first
 * @param threshold any from the lowest stratum's lowest score on
 * @returns null: no judged box speaks for some part of the boxes above the threshold
 * @example
 * const scores = Float64Array.of(0.6, 0.8);
 * const plan = planJudging(scores, strataAround(scores, 0.5), 2, Float64Array.of(0.1, 0.2));
 * const judgements = plan.drawn.map((box) => ({ ...box, isRight: box.row === 1 }));
 * precisionJudged(plan, judgements, 0.5); // => { value: 0.5, low: 0.5, high: 0.5 }
 */
export function precisionJudged(
  { strata, ascending }: JudgingPlan,
  judgements: readonly Judgement[],
  threshold: number,
): Estimate | null {
  const kept = ascending.length - placeOf(ascending, threshold);
  let [value, variance, squares, covered, judged] = [0, 0, 0, 0, 0];
  for (const [stratum, { from, below }] of strata.entries()) {
    const size = placeOf(ascending, below) - placeOf(ascending, Math.max(from, threshold));
    if (size <= 0) continue;
    const own = judgements.filter((one) => one.stratum === stratum && one.score >= threshold);
    if (own.length === 0) return null;
    const right = own.filter(({ isRight }) => isRight).length;
    const share = size / kept;
    // Smoothed for the spread alone: two right ones of two do not make a stratum sure. Jeffreys' half a box on either side;
    // less makes parts of a stratum, of which one to three boxes are judged, too sure.
    const likely = (right + 0.5) / (own.length + 1);
    covered += size;
    judged += own.length;
    value += share * (right / own.length);
    const ownVariance = (share ** 2 * likely * (1 - likely) * (1 - own.length / size)) / own.length;
    variance += ownVariance;
    squares += ownVariance ** 2 / own.length;
  }
  if (kept === 0 || covered < kept) return null;
  if (variance === 0) return { value, low: value, high: value };
  const centred = Math.min(Math.max(value, 0.5 / judged), 1 - 0.5 / judged);
  // Satterthwaite's degrees of freedom of a sum of strata's variances.
  const factor = (normalQuantile(level) / studentQuantile(level, variance ** 2 / squares)) ** 2;
  return wilsonInterval(value, (factor * (centred * (1 - centred))) / variance);
}
