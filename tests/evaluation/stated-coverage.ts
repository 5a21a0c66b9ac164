import { chooseThreshold, type ExpectedFigures } from '../../src/evidence/evaluation/choose/choose-threshold.ts';
import type { Goal } from '../../src/evidence/evaluation/choose/goal.ts';
import { countsAt, ratesOf } from '../../src/evidence/evaluation/sweep/label-sweep.ts';
import { worlds, type SimulatedUnits } from './seeded-worlds.ts';

export interface StatedRuns {
  readonly unitCount: number;
  readonly goal: Goal;
  /** the figure that the goal is judged by */
  readonly figure: keyof ExpectedFigures;
  readonly runs: number;
  /** number of the first run, each of which draws otherwise; default: 1 */
  readonly firstRun?: number;
  /** how many units tell what a threshold does elsewhere */
  readonly elsewhereCount: number;
}

export interface Stated {
  /** in which a threshold could be chosen */
  readonly runs: number;
  /** runs whose interval is stated without "too few" */
  readonly stated: number;
  /** stated runs whose interval does not hold what the threshold does elsewhere */
  readonly wrong: number;
  /** expected minus real, the mean over all runs */
  readonly bias: number;
}

/** The last world's, as these are large. */
let elsewhere: { readonly key: string; readonly whole: SimulatedUnits } | null = null;

/** Chooses thresholds on seeded draws from a world, and counts how often what is stated of them does not hold elsewhere. */
export function statedOn(name: keyof typeof worlds, asked: StatedRuns): Stated {
  const { unitCount, goal, figure, runs, firstRun = 1, elsewhereCount } = asked;
  const key = `${name} ${elsewhereCount}`;
  if (elsewhere?.key !== key) elsewhere = { key, whole: worlds[name](999_999, elsewhereCount) };
  const { whole } = elsewhere;
  let [chosen, stated, wrong, bias] = [0, 0, 0, 0];
  for (let run = firstRun; run < firstRun + runs; run++) {
    const { sweep, imageCount, units } = worlds[name](7919 * run + unitCount, unitCount);
    const choice = chooseThreshold(sweep, imageCount, goal, { units, seed: run });
    const expected = choice?.expected[figure];
    if (!choice || !expected) continue;
    const counts = countsAt(whole.sweep, choice.threshold);
    const real = { ...ratesOf(counts), falsePerImage: counts.falsePositives / whole.imageCount }[figure]!;
    chosen++;
    bias += expected.value - real;
    if (choice.tooFew) continue;
    stated++;
    if (expected.low > real + 1e-9 || expected.high < real - 1e-9) wrong++;
  }
  return { runs: chosen, stated, wrong, bias: bias / chosen };
}
