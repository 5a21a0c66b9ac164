import { expect, test } from 'vitest';
import { statedOn } from '../../../../tests/evaluation/stated-coverage.ts';
import { seededDraws } from '../../../../tests/evaluation/seeded-frames.ts';
import { rateInterval } from '../intervals/ratio-interval.ts';

// bench/figures/coverage.ts runs the same with more runs, sizes and goals, every night.
const elsewhereCount = 4000;
const bestF1 = { goal: { kind: 'best-f1' }, figure: 'f1', elsewhereCount } as const;
const precision = { goal: { kind: 'precision', atLeast: 0.9 }, figure: 'precision', elsewhereCount } as const;

test.each(['plain', 'burst', 'crowd', 'video'] as const)(
  '20 units of world %s are too few to state an interval',
  (name) => {
    // Bursts that were not seen make an interval narrow, and nothing shows it.
    expect(statedOn(name, { ...bestF1, unitCount: 20, runs: 40, elsewhereCount: 50 }).stated).toBe(0);
  },
);

test.each(['cluster', 'burst', 'crowd'] as const)('50 units of world %s state what holds elsewhere', (name) => {
  const { stated, wrong, runs } = statedOn(name, { ...bestF1, unitCount: 50, runs: 100 });
  // 5 % and a half are meant; of 100 runs chance makes 12 of them once in 100 times.
  expect(wrong / runs).toBeLessThanOrEqual(0.12);
  if (name === 'cluster') expect(stated).toBeGreaterThan(50);
});

test('the expected precision is no lower than what the threshold does elsewhere, on average', () => {
  const { bias } = statedOn('cluster', { ...precision, unitCount: 40, runs: 150 });
  expect(Math.abs(bias)).toBeLessThan(0.02);
});

test.each([10, 20])('false boxes of %s clips are held, where none was seen and where a frame had one', (clips) => {
  // One clip in ten has a false box in each of its 60 frames; in the others one frame in a thousand has one.
  const [frames, often, seldom] = [60, 0.1, 0.001];
  const real = often + (1 - often) * seldom;
  let [few, held] = [0, 0];
  for (let seed = 1; seed <= 200; seed++) {
    const { uniform } = seededDraws(seed);
    const counts = Array.from({ length: clips }, () =>
      uniform() < often ? frames : Array.from({ length: frames }, uniform).filter((one) => one < seldom).length,
    );
    if (counts.some((count) => count > 3)) continue;
    few++;
    if (rateInterval(counts, new Array<number>(clips).fill(frames))!.high >= real) held++;
  }
  expect(few).toBeGreaterThan(2);
  expect(held / few).toBe(1);
});
