import { describe, expect, it } from 'vitest';
import { boundOfCounts, lowerBound } from './lower-bound.ts';

const ones = (count: number): number[] => new Array<number>(count).fill(1);
/** One box a unit, of which so many are wrong. */
const flat = (wrong: number, count: number): number[] => ones(count).map((one, at) => (at < wrong ? 0 : one));

describe('the exact bound, one box a unit', () => {
  // Clopper and Pearson's one-sided limits, by sums of whole-number binomial coefficients.
  it.each([
    [0, 45, 0.9, 0.9501185073],
    [0, 44, 0.9, 0.949014236],
    [0, 59, 0.95, 0.9504923901],
    [1, 10, 0.95, 0.6058366976],
    [2, 212, 0.9, 0.9750907775],
    [5, 100, 0.95, 0.8977466224],
  ])('%i wrong of %i with confidence %d', (wrong, count, confidence, bound) => {
    const found = lowerBound(flat(wrong, count), ones(count), confidence)!;
    expect(found.bound).toBeCloseTo(bound, 9);
    expect(found).toMatchObject({ right: count - wrong, of: count, units: count, trials: count });
  });

  it('is 0 where all are wrong, and nothing where there is nothing', () => {
    expect(lowerBound([0, 0], [1, 1], 0.9)!.bound).toBe(0);
    expect(lowerBound([0, 0], [0, 0], 0.9)).toBeNull();
  });
});

describe('boxes that came together', () => {
  it('count once where nothing shows that they go wrong apart', () => {
    const found = lowerBound([4, 4, 4], [4, 4, 4], 0.9)!;
    expect(found).toMatchObject({ right: 12, of: 12, units: 3, trials: 3 });
    expect(found.bound).toBeCloseTo(0.1 ** (1 / 3), 6);
  });

  it('are worth less where whole units go wrong than where single boxes do', () => {
    const wholes = new Array<number>(50).fill(4);
    const together = lowerBound(
      wholes.map((whole, at) => (at < 5 ? 0 : whole)),
      wholes,
      0.9,
    )!;
    const apart = lowerBound(
      wholes.map((whole, at) => (at < 20 ? 3 : whole)),
      wholes,
      0.9,
    )!;
    expect([together.right, apart.right]).toEqual([180, 180]);
    expect(together.trials).toBeLessThan(55);
    expect(apart.trials).toBe(50);
    expect(together.bound).toBeLessThan(apart.bound);
  });

  it('are worth what equal units would be, where one unit has most of them', () => {
    // 144² / (100² + 44) = 2.06: the large unit alone decides, and nothing tells how often such a unit goes wrong.
    const wholes = [100, ...ones(44)];
    const found = lowerBound(wholes, wholes, 0.9)!;
    expect(found).toMatchObject({ of: 144, units: 45, evenUnits: 2, trials: 2 });
    expect(found.bound).toBeCloseTo(0.1 ** (1 / 2), 6);
    const missed = lowerBound([100, 0, ...ones(43)], wholes, 0.9)!;
    expect(missed.trials).toBeLessThanOrEqual(2);
    expect(missed.bound).toBeLessThan(found.bound);
  });

  it('never get a better bound by one more mistake', () => {
    const wholes = new Array<number>(30).fill(5);
    const bounds = [0, 1, 2, 3, 4, 5, 6].map(
      (wrong) =>
        lowerBound(
          wholes.map((whole, at) => (at < wrong ? whole - 1 : whole)),
          wholes,
          0.9,
        )!.bound,
    );
    expect(bounds).toEqual(bounds.toSorted((a, b) => b - a));
  });
});

it('is the same again from its counts', () => {
  const wholes = [3, 1, 4, 2, 5, 1, 2];
  const found = lowerBound([3, 1, 3, 2, 4, 1, 2], wholes, 0.95)!;
  expect(boundOfCounts(found, 0.95)).toBe(found.bound);
});
