import fc from 'fast-check';
import { expect, it } from 'vitest';
import { shareInterval } from './ratio-interval.ts';

it('holds the share itself, and never leaves 0 to 1', () => {
  const unit = fc.tuple(fc.nat({ max: 20 }), fc.nat({ max: 20 }));
  const variance = fc.double({ min: 0, max: 0.2, noNaN: true });
  fc.assert(
    fc.property(fc.array(unit, { minLength: 1, maxLength: 60 }), variance, (units, moreVariance) => {
      const parts = units.map(([a, b]) => Math.min(a, b));
      const interval = shareInterval(
        parts,
        units.map(([, whole]) => whole),
        moreVariance,
      );
      if (!interval) return;
      const { low, value, high } = interval;
      expect(0 <= low && low <= value && value <= high && high <= 1).toBe(true);
    }),
    { seed: 7, numRuns: 1000 },
  );
});

it.each([1, 2, 3, 7, 10, 100, 333])('begins at 0 where none of %s was right, and ends at 1 where all were', (count) => {
  const ones = new Array<number>(count).fill(1);
  const none = shareInterval(new Array<number>(count).fill(0), ones)!;
  expect([none.low, none.value, none.high > 0]).toEqual([0, 0, true]);
  const all = shareInterval(ones, ones)!;
  expect([all.low < 1, all.value, all.high]).toEqual([true, 1, 1]);
});
