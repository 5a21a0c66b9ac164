import type { Estimate } from '../intervals/ratio-interval.ts';
import { normalQuantile } from '../intervals/quantiles.ts';
import { shuffled } from '../intervals/seeded-numbers.ts';

/** Boxes of like score, drawn from with one probability. */
export interface Stratum {
  /** scores in this range, both ends in it */
  readonly lowest: number;
  readonly highest: number;
  /** how many boxes it has */
  readonly size: number;
}

/** One box to be judged. Keep it with the judgement: without its stratum a judgement estimates nothing. */
export interface DrawnBox {
  /** number in the scores that were given */
  readonly row: number;
  readonly stratum: number;
  /** how likely this box was to be drawn, above 0 */
  readonly probability: number;
}

export interface JudgingPlan {
  readonly strata: readonly Stratum[];
  /** in random order, so that one may stop early */
  readonly drawn: readonly DrawnBox[];
}

export interface Judgement extends DrawnBox {
  readonly isRight: boolean;
}

/** Parts of the boxes above the line by rank, next to the line first, and how unsure each is taken to be. */
const unsureness = [0.5, 0.4, 0.3] as const;
/** Of the judgements so many go below the line: where it might be moved to. */
const shareBelow = 0.2;

/**
 * Draws boxes to be judged right or wrong, without any truth: by strata of score around the line and away from it, most
 * where a box may be either. Below the line as many boxes come into question as there are above it.
 *
 * @param scores of all boxes of a label
 * @param threshold the line
 * @param budget how many are to be judged
 * @param seed the same seed draws the same boxes
 * @returns strata, and the boxes to judge
 * @example const { drawn } = planJudging(scores, 0.5, 40);
 */
export function planJudging(scores: Float64Array, threshold: number, budget: number, seed = 1): JudgingPlan {
  const order = Uint32Array.from(scores.keys()).sort((a, b) => scores[a]! - scores[b]! || a - b);
  const firstAbove = order.findIndex((row) => scores[row]! >= threshold);
  const line = firstAbove < 0 ? order.length : firstAbove;
  const above = order.subarray(line);
  const below = order.subarray(Math.max(0, line - above.length), line);
  const groups = [below, ...unsureness.map((_, part) => above.subarray(...partOf(above.length, part)))];
  const budgetBelow = Math.min(below.length, Math.round(budget * shareBelow));
  const weights = groups.slice(1).map((group, part) => group.length * unsureness[part]!);
  const wanted = [budgetBelow, ...apportioned(budget - budgetBelow, weights, groups.slice(1))];
  const strata: Stratum[] = [];
  const drawn: DrawnBox[] = [];
  for (const [part, group] of groups.entries()) {
    const count = wanted[part]!;
    if (count === 0) continue;
    const stratum = strata.length;
    strata.push({ lowest: scores[group[0]!]!, highest: scores[group.at(-1)!]!, size: group.length });
    for (const place of shuffled(group.length, seed + part).subarray(0, count)) {
      drawn.push({ row: group[place]!, stratum, probability: count / group.length });
    }
  }
  return { strata, drawn: Array.from(shuffled(drawn.length, seed), (at) => drawn[at]!) };
}

function partOf(length: number, part: number): [from: number, to: number] {
  const parts = unsureness.length;
  return [Math.floor((part * length) / parts), Math.floor(((part + 1) * length) / parts)];
}

/** At least two of each group that has so many, the rest by weight; never more than there are. */
function apportioned(
  budget: number,
  weights: readonly number[],
  groups: readonly { readonly length: number }[],
): number[] {
  const counts = groups.map(({ length }) => Math.min(2, length));
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

const z = normalQuantile(0.975);

/**
 * Precision at a threshold from judged boxes, each weighed by how likely it was to be drawn, with an interval from the
 * spread inside the strata. It is the precision among these very boxes; judged boxes say nothing of what was missed.
 *
 * @param scores of all boxes of the label, as they were given to `planJudging`
 * @param plan that the boxes were drawn by
 * @param judgements so far
 * @param threshold any from the lowest stratum's lowest score on
 * @returns null: no judged box speaks for some part of the boxes above the threshold
 * @example precisionJudged(scores, plan, judgements, 0.5); // { value: 0.87, low: 0.74, high: 0.94 }
 */
export function precisionJudged(
  scores: Float64Array,
  { strata }: JudgingPlan,
  judgements: readonly Judgement[],
  threshold: number,
): Estimate | null {
  const kept = scores.filter((score) => score >= threshold).length;
  let [value, variance, covered, judged] = [0, 0, 0, 0];
  for (const [stratum, { lowest, highest }] of strata.entries()) {
    const size = countIn(scores, Math.max(lowest, threshold), highest, strata, stratum);
    if (size === 0) continue;
    const own = judgements.filter((one) => one.stratum === stratum && scores[one.row]! >= threshold);
    if (own.length === 0) return null;
    const right = own.filter(({ isRight }) => isRight).length;
    const share = size / kept;
    // Smoothed for the spread alone: two right ones of two do not make a stratum sure.
    const likely = (right + 0.1) / (own.length + 0.2);
    covered += size;
    judged += own.length;
    value += share * (right / own.length);
    variance += (share ** 2 * likely * (1 - likely) * (1 - own.length / size)) / own.length;
  }
  if (kept === 0 || covered < kept) return null;
  if (variance === 0) return { value, low: value, high: value };
  const centred = Math.min(Math.max(value, 0.5 / judged), 1 - 0.5 / judged);
  const trials = (centred * (1 - centred)) / variance;
  const middle = (value + z ** 2 / (2 * trials)) / (1 + z ** 2 / trials);
  const half = (z / (1 + z ** 2 / trials)) * Math.sqrt((value * (1 - value)) / trials + z ** 2 / (4 * trials ** 2));
  return { value, low: Math.max(0, Math.min(value, middle - half)), high: Math.min(1, Math.max(value, middle + half)) };
}

/** How many boxes of a stratum reach its lower end; scores that two strata share are told apart by the strata's sizes. */
function countIn(scores: Float64Array, from: number, to: number, strata: readonly Stratum[], stratum: number): number {
  const { lowest, size } = strata[stratum]!;
  if (from <= lowest) return size;
  const between = scores.filter((score) => score >= from && score <= to).length;
  return Math.min(size, between);
}
