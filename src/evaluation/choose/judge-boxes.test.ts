import { describe, expect, test } from 'vitest';
import { seededDraws } from '../../../tests/evaluation/seeded-frames.ts';
import { shareInterval } from '../intervals/ratio-interval.ts';
import { shuffled } from '../intervals/seeded-numbers.ts';
import { planJudging, precisionJudged } from './judge-boxes.ts';

/** 2,000 boxes of which most score low, as models give them, and whether each is right. */
function boxes(seed: number) {
  const { uniform } = seededDraws(seed);
  const score = Float64Array.from({ length: 2000 }, () => uniform() ** 4);
  const isRight = Array.from(score, (one) => uniform() < 1 / (1 + Math.exp(-7 * (one - 0.45))));
  const kept = [...score.keys()].filter((row) => score[row]! >= 0.5);
  return { score, isRight, real: kept.filter((row) => isRight[row]).length / kept.length };
}

describe('planJudging', () => {
  const { score } = boxes(1);
  const plan = planJudging(score, 0.5, 40);

  test('draws as many boxes as asked, each once, with its probability', () => {
    expect(plan.drawn).toHaveLength(40);
    expect(new Set(plan.drawn.map(({ row }) => row)).size).toBe(40);
    for (const { row, stratum, probability } of plan.drawn) {
      const { lowest, highest, size } = plan.strata[stratum]!;
      expect(score[row]).toBeGreaterThanOrEqual(lowest);
      expect(score[row]).toBeLessThanOrEqual(highest);
      expect(probability).toBe(plan.drawn.filter((one) => one.stratum === stratum).length / size);
    }
  });

  test('draws most where a box may be either, and some below the line', () => {
    const counts = plan.strata.map((_, stratum) => plan.drawn.filter((one) => one.stratum === stratum).length);
    expect(plan.strata[0]!.highest).toBeLessThan(0.55);
    expect(counts[0]).toBe(8);
    expect(counts[1]).toBeGreaterThan(counts[3]!);
  });

  test('takes all boxes where there are fewer than asked', () => {
    const few = Float64Array.of(0.1, 0.6, 0.7);
    const all = planJudging(few, 0.5, 40);
    expect(all.drawn.map(({ row }) => row).sort()).toEqual([0, 1, 2]);
    const judged = all.drawn.map((one) => ({ ...one, isRight: one.row === 2 }));
    expect(precisionJudged(few, all, judged, 0.5)).toEqual({ value: 0.5, low: 0.5, high: 0.5 });
  });
});

describe('precisionJudged', () => {
  const runs = 1000;

  test('covers the precision among the boxes 93 to 97 times of 100, and is half as wide as uniform picking', () => {
    let [covered, width, uniformWidth, bias] = [0, 0, 0, 0];
    for (let seed = 1; seed <= runs; seed++) {
      const { score, isRight, real } = boxes(seed);
      const plan = planJudging(score, 0.5, 40, seed);
      const judged = plan.drawn.map((one) => ({ ...one, isRight: isRight[one.row]! }));
      const { value, low, high } = precisionJudged(score, plan, judged, 0.5)!;
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
    expect(covered / runs).toBeLessThanOrEqual(0.97);
    expect(Math.abs(bias / runs)).toBeLessThan(0.005);
    expect(width / uniformWidth).toBeLessThan(0.55);
  });

  test('says nothing where no judged box speaks for some of the boxes', () => {
    const { score } = boxes(1);
    const plan = planJudging(score, 0.5, 40);
    expect(precisionJudged(score, plan, [], 0.5)).toBeNull();
    const judged = plan.drawn.map((one) => ({ ...one, isRight: true }));
    expect(precisionJudged(score, plan, judged, 0.001)).toBeNull();
    expect(precisionJudged(score, plan, judged, 0.55)).not.toBeNull();
  });
});
