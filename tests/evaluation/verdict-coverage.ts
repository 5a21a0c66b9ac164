import { compareFigures, type ComparedSide } from '../../src/evidence/evaluation/compare/compare-figures.ts';
import { Outcome } from '../../src/evidence/evaluation/sweep/label-sweep.ts';
import { logistic, seededDraws, sweepOf, type SimulatedRow } from './seeded-frames.ts';
import { worlds, type SimulatedUnits } from './seeded-worlds.ts';

export interface FalseVerdicts {
  /** tables with a verdict on all labels together, and with one on a single label */
  readonly ofAll: number;
  readonly ofLabels: number;
}

/**
 * What one of two models says that are equally good and were trained apart: scores move by lot, some results are missing, and on
 * some units all that is false.
 */
function saidOf({ sweep, units }: SimulatedUnits, seed: number) {
  const { uniform, normal } = seededDraws(seed);
  const isQuiet = Array.from({ length: units.count }, () => uniform() < 0.3);
  const rows: SimulatedRow[] = [];
  for (const [at, score] of sweep.score.entries()) {
    const image = sweep.image[at]!;
    const outcome = sweep.outcome[at] === Outcome.true ? 1 : 0;
    const isKept = uniform() >= 0.1;
    const moved = logistic(Math.log(score / (1 - score)) + 0.7 * normal());
    if (isKept && (outcome === 1 || !isQuiet[units.ofImage[image]!])) rows.push({ score: moved, image, outcome });
  }
  return sweepOf(rows, [...sweep.truthImage]);
}

/** Compares two models that are equally good, label by label, in many tables, and counts those that call one better. */
export function falseVerdictsOn(
  name: keyof typeof worlds,
  { labelCount, unitCount, tables }: Readonly<Record<'labelCount' | 'unitCount' | 'tables', number>>,
): FalseVerdicts {
  const thresholds = new Array<number>(labelCount).fill(0.5);
  let [ofAll, ofLabels] = [0, 0];
  for (let table = 1; table <= tables; table++) {
    const drawn = Array.from({ length: labelCount }, (_, label) => worlds[name](7919 * table + 31 * label, unitCount));
    const sideOf = (side: number): ComparedSide => ({
      sweeps: drawn.map((one, label) => ({ ...saidOf(one, 104_729 * table + 97 * label + side), label })),
      thresholds,
    });
    const decided = compareFigures(sideOf(1), sideOf(2), drawn[0]!.units).filter(
      ({ verdict }) => verdict !== 'cannot tell',
    );
    if (decided.some(({ label }) => label === null)) ofAll++;
    if (decided.some(({ label }) => label !== null)) ofLabels++;
  }
  return { ofAll, ofLabels };
}
