import { expect, it } from 'vitest';
import { falselyCertifiedOn } from '../../../tests/evaluation/certificate-coverage.ts';

// bench/figures/coverage.ts runs the same with more runs, sizes and worlds, every night.
it.each([
  ['burst', 'precision', 2000],
  ['crowd', 'recall', 2000],
  ['video', 'recall', 300],
] as const)('what is certified in world %s of %s is seldom false elsewhere', (name, figure, elsewhereCount) => {
  const runs = 60;
  const wrong = falselyCertifiedOn(name, { figure, confidence: 0.9, unitCount: 60, runs, elsewhereCount });
  // 10 % are allowed; of 60 runs chance makes 12 of them once in 100 times.
  expect(wrong).toBeLessThanOrEqual(12);
});
