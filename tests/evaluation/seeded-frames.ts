import { seededNumbers } from '../../src/evidence/evaluation/intervals/seeded-numbers.ts';
import type { LabelSweep } from '../../src/evidence/evaluation/sweep/label-sweep.ts';

/** Seeded random numbers: uniform in 0..1, and normally distributed. */
export function seededDraws(seed: number): { readonly uniform: () => number; readonly normal: () => number } {
  const next = seededNumbers(seed);
  const uniform = (): number => (next() + 0.5) / 2 ** 32;
  return { uniform, normal: () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform()) };
}

/** A score of 0..1 from any number. */
export const logistic = (x: number): number => 1 / (1 + Math.exp(-x));

/** A result on a simulated image: 1 where it is right, 0 where it is false. */
export interface SimulatedRow {
  readonly score: number;
  readonly image: number;
  readonly outcome: 0 | 1;
}

/**
 * The matching result for simulated frames. Some frames are harder, so that errors in a frame are correlated. True positives
 * have higher scores than false positives, with much overlap; one object in fourteen is never detected.
 */
export function seededSweep(seed: number, imageCount: number): LabelSweep {
  const { uniform, normal } = seededDraws(seed);
  const rows: SimulatedRow[] = [];
  const truthImage: number[] = [];
  for (let image = 0; image < imageCount; image++) {
    const hardness = 0.5 * normal();
    const [truths, falses] = [1 + Math.floor(4 * uniform()), Math.floor(5 * uniform())];
    for (let at = 0; at < truths; at++) {
      truthImage.push(image);
      if (uniform() < 0.93) rows.push({ score: logistic(1.2 - hardness + 1.1 * normal()), image, outcome: 1 });
    }
    for (let at = 0; at < falses; at++) {
      rows.push({ score: logistic(-1.2 + hardness + 1.1 * normal()), image, outcome: 0 });
    }
  }
  return sweepOf(rows, truthImage);
}

/** The sweep of simulated results. */
export function sweepOf(simulated: readonly SimulatedRow[], truthImage: readonly number[]): LabelSweep {
  const rows = simulated.toSorted((a, b) => b.score - a.score);
  const [truePositives, falsePositives] = [new Uint32Array(rows.length + 1), new Uint32Array(rows.length + 1)];
  for (const [at, { outcome }] of rows.entries()) {
    truePositives[at + 1] = truePositives[at]! + outcome;
    falsePositives[at + 1] = falsePositives[at]! + 1 - outcome;
  }
  return {
    label: 0,
    truthCount: truthImage.length,
    score: Float64Array.from(rows, ({ score }) => score),
    image: Uint32Array.from(rows, ({ image }) => image),
    row: Uint32Array.from(rows, (_, at) => at),
    outcome: Uint8Array.from(rows, ({ outcome }) => outcome),
    truePositives,
    falsePositives,
    truthImage: Uint32Array.from(truthImage),
  };
}
