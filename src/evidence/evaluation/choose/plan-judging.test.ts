import { describe, expect, test } from 'vitest';
import { seededDraws } from '../../../../tests/evaluation/seeded-frames.ts';
import { shareInterval } from '../intervals/ratio-interval.ts';
import { shuffled } from '../intervals/seeded-numbers.ts';
import { lotOf, planJudging, precisionJudged, strataAround } from './plan-judging.ts';

/** Boxes of which most score low, as models give them, whether each is right, and its lot. */
function boxes(seed: number, count = 2000, values: number | null = null) {
  const { uniform } = seededDraws(seed);
  const stepped = (score: number): number => (values === null ? score : Math.ceil(score * values) / values);
  const score = Float64Array.from({ length: count }, () => stepped(uniform() ** 4));
  const isRight = Array.from(score, (one) => uniform() < 1 / (1 + Math.exp(-7 * (one - 0.45))));
  const kept = [...score.keys()].filter((row) => score[row]! >= 0.5);
  const lots = Float64Array.from(score, uniform);
  return { score, isRight, lots, real: kept.filter((row) => isRight[row]).length / kept.length };
}

const planned = ({ score, lots }: ReturnType<typeof boxes>, budget = 40) =>
  planJudging(score, strataAround(score, 0.5), budget, lots);

describe('planJudging', () => {
  const given = boxes(1);
  const { score, lots } = given;
  const plan = planned(given);

  test('draws as many boxes as asked, each once, with its probability', () => {
    expect(plan.drawn).toHaveLength(40);
    expect(new Set(plan.drawn.map(({ row }) => row)).size).toBe(40);
    for (const { row, stratum, probability } of plan.drawn) {
      const { from, below, size } = plan.strata[stratum]!;
      expect(score[row]).toBeGreaterThanOrEqual(from);
      expect(score[row]).toBeLessThan(below);
      expect(probability).toBe(plan.drawn.filter((one) => one.stratum === stratum).length / size);
    }
  });

  test('draws most where a box may be either, and some below the line', () => {
    const counts = plan.strata.map((_, stratum) => plan.drawn.filter((one) => one.stratum === stratum).length);
    expect(plan.strata[0]!.below).toBe(0.5);
    expect(counts[0]).toBe(8);
    expect(counts[1]).toBeGreaterThan(counts[3]!);
  });

  test('draws from all strata alike, wherever one stops', () => {
    const first = plan.drawn.slice(0, 20).map(({ stratum }) => stratum);
    const counts = plan.strata.map((_, stratum) => first.filter((one) => one === stratum).length);
    const all = plan.strata.map((_, stratum) => plan.drawn.filter((one) => one.stratum === stratum).length);
    for (const [stratum, count] of counts.entries()) expect(Math.abs(count - all[stratum]! / 2)).toBeLessThan(1.01);
  });

  test('draws the same boxes and more by a larger budget', () => {
    const more = new Set(planned(given, 60).drawn.map(({ row }) => row));
    expect(more.size).toBe(60);
    expect(plan.drawn.every(({ row }) => more.has(row))).toBe(true);
  });

  test('keeps the turn of the other boxes where some go away', () => {
    const left = [...score.keys()].filter((row) => row % 3 > 0);
    const of = (values: Float64Array) => Float64Array.from(left, (row) => values[row]!);
    const again = planJudging(of(score), strataAround(score, 0.5), 40, of(lots));
    const rows = again.drawn.map(({ row }) => left[row]!);
    for (const { row } of plan.drawn.filter((box) => box.row % 3 > 0)) expect(rows).toContain(row);
  });

  test('draws as many as asked where few lie above the line, and more below it for that', () => {
    const few = Float64Array.from([...Array.from({ length: 31 }, (_, at) => 0.5 + at / 100), ...Array.from({ length: 60 }, (_, at) => at / 200)]); // prettier-ignore
    const { drawn } = planJudging(few, strataAround(few, 0.5), 40, few);
    expect(drawn).toHaveLength(40);
    expect(drawn.filter(({ stratum }) => stratum === 0)).toHaveLength(9);
  });

  test('takes all boxes where there are fewer than asked', () => {
    const few = Float64Array.of(0.1, 0.6, 0.7);
    const all = planJudging(few, strataAround(few, 0.5), 40, few);
    expect(all.drawn.map(({ row }) => row).sort()).toEqual([0, 1, 2]);
    const judged = all.drawn.map((one) => ({ ...one, isRight: one.row === 2 }));
    expect(precisionJudged(all, judged, 0.5)).toEqual({ value: 0.5, low: 0.5, high: 0.5 });
  });

  test('never parts equal scores, and draws nothing where nothing is kept', () => {
    const coarse = Float64Array.from({ length: 100 }, (_, at) => Math.floor(at / 10) / 10);
    const { strata } = planJudging(coarse, strataAround(coarse, 0.45), 40, new Float64Array(100));
    expect(strata.reduce((sum, { size }) => sum + size, 0)).toBe(100);
    expect(planJudging(coarse, strataAround(coarse, 2), 40, coarse).drawn).toEqual([]);
  });
});

test('lots of names that are much alike are spread evenly', () => {
  const lots = Array.from({ length: 2000 }, (_, at) => lotOf(`image ${at}`));
  for (let tenth = 0; tenth < 10; tenth++) {
    const count = lots.filter((lot) => Math.floor(10 * lot) === tenth).length;
    expect(Math.abs(count - 200)).toBeLessThan(50);
  }
  let together = 0;
  for (let at = 1; at < lots.length; at++) together += (lots[at]! - 0.5) * (lots[at - 1]! - 0.5);
  expect(Math.abs(together / lots.length)).toBeLessThan(0.01);
});

describe('precisionJudged', () => {
  const runs = 400;

  test('covers the precision among the boxes 93 to 98 times of 100, and is half as wide as uniform picking', () => {
    let [covered, width, uniformWidth, bias] = [0, 0, 0, 0];
    for (let seed = 1; seed <= runs; seed++) {
      const given = boxes(seed);
      const { score, isRight, real } = given;
      const plan = planned(given);
      const judged = plan.drawn.map((one) => ({ ...one, isRight: isRight[one.row]! }));
      const { value, low, high } = precisionJudged(plan, judged, 0.5)!;
      if (low <= real && real <= high) covered++;
      width += high - low;
      bias += value - real;
      const picked = [...shuffled(score.length, seed).subarray(0, 40)].filter((row) => score[row]! >= 0.5);
      const uniform = shareInterval(
        picked.map((row) => (isRight[row] ? 1 : 0)),
        picked.map(() => 1),
      );
      uniformWidth += uniform ? uniform.high - uniform.low : 1;
    }
    expect(covered / runs).toBeGreaterThan(0.93);
    expect(covered / runs).toBeLessThanOrEqual(0.98);
    expect(Math.abs(bias / runs)).toBeLessThan(0.005);
    expect(width / uniformWidth).toBeLessThan(0.55);
  });

  test('says nothing where no judged box speaks for some of the boxes', () => {
    const plan = planned(boxes(1));
    expect(precisionJudged(plan, [], 0.5)).toBeNull();
    const judged = plan.drawn.map((one) => ({ ...one, isRight: true }));
    expect(precisionJudged(plan, judged, 0.001)).toBeNull();
    expect(precisionJudged(plan, judged, 0.55)).not.toBeNull();
  });

  // bench/figures/coverage.ts has more populations and thresholds. Of a quantised model scores have few values.
  test.each([
    ['of distinct scores', 1000, null, [0.35, 0.4, 0.7]],
    ['of a few boxes', 100, null, [0.4, 0.45]],
    ['of eight values', 1000, 8, [0.375, 0.625, 0.75]],
  ] as const)('covers it away from the line %s', (_, count, values, thresholds) => {
    const covered = thresholds.map(() => 0);
    for (let seed = 1; seed <= 120; seed++) {
      const given = boxes(seed, count, values);
      const plan = planned(given);
      const judged = plan.drawn.map((one) => ({ ...one, isRight: given.isRight[one.row]! }));
      for (const [at, threshold] of thresholds.entries()) {
        const kept = [...given.score.keys()].filter((row) => given.score[row]! >= threshold);
        const real = kept.filter((row) => given.isRight[row]).length / kept.length;
        const estimate = precisionJudged(plan, judged, threshold);
        if (!estimate || (estimate.low - 1e-12 <= real && real <= estimate.high + 1e-12)) covered[at]!++;
      }
    }
    for (const [at, threshold] of thresholds.entries())
      expect(covered[at]! / 120, `from ${threshold} on`).toBeGreaterThanOrEqual(0.92);
  });
});
