import { expect, it } from 'vitest';
import { bursts, correctedOn, crowds, rareLabel } from '../../../../tests/evaluation/correction-coverage.ts';

// bench/figures/coverage.ts runs the same with more runs, every night.
it.each([
  ['crowds', crowds],
  ['bursts', bursts],
  ['a rare label', rareLabel],
] as const)('what a few corrected images state of all holds, or is not stated: %s', (_, draw) => {
  let [stated, wrong] = [0, 0];
  for (const count of [8, 12, 20]) {
    const found = correctedOn(draw, { imageCount: 80, count, runs: 60 });
    stated += found.stated;
    wrong += found.wrong;
  }
  expect(stated).toBeGreaterThan(10);
  expect(wrong / stated).toBeLessThanOrEqual(0.065);
});

it('states nothing of a label that six corrected images do not have', () => {
  expect(correctedOn(rareLabel, { imageCount: 80, count: 8, runs: 60 }).stated).toBeLessThan(2);
});
