import { chooseThreshold } from '../../src/evaluation/choose/choose-threshold.ts';
import type { Goal } from '../../src/evaluation/choose/goal.ts';
import { countsAt, ratesOf } from '../../src/evaluation/sweep/label-sweep.ts';
import { seededSweep } from '../../tests/evaluation/seeded-frames.ts';
import type { Figure, Measurement } from '../figure.ts';

const runs = 2000;
const worldImages = 60_000;

/** Each goal with the metric that it is judged by. */
const goals: readonly (readonly [Goal, 'f1' | 'precision' | 'recall' | 'falsePerImage'])[] = [
  [{ kind: 'best-f1' }, 'f1'],
  [{ kind: 'precision', atLeast: 0.9 }, 'precision'],
  [{ kind: 'recall', atLeast: 0.85 }, 'recall'],
  [{ kind: 'cost', missedCost: 3 }, 'f1'],
  [{ kind: 'false-per-hour', atMost: 720, framesPerSecond: 1 }, 'falsePerImage'],
];

export const figure: Figure = {
  title: `how often 95 % intervals of chosen thresholds hold what they do on other frames, of ${runs} seeded runs`,
  measure({ at }) {
    const world = seededSweep(999_999, worldImages);
    const measured: Measurement[] = [];
    for (const images of [40, 100, 250]) {
      for (const [goal, figureName] of goals) {
        at(`at ${goal.kind}, ${images} images`);
        let covered = 0;
        for (let run = 1; run <= runs; run++) {
          const { threshold, expected } = chooseThreshold(seededSweep(run, images), images, goal, { seed: run })!;
          const counts = countsAt(world, threshold);
          const real = { ...ratesOf(counts), falsePerImage: counts.falsePositives / worldImages }[figureName]!;
          const { low, high } = expected[figureName]!;
          if (low <= real && real <= high) covered++;
        }
        const name = `${goal.kind}, ${figureName}, ${images} images`;
        measured.push({ name, value: (100 * covered) / runs, unit: '%', atLeast: 93, atMost: 97 });
      }
    }
    return Promise.resolve(measured);
  },
};
