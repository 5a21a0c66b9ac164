import { describe, expect, it } from 'vitest';
import { sweepOf, type SimulatedRow } from '../../../../tests/evaluation/seeded-frames.ts';
import { promisesOn } from '../../../../tests/evaluation/promise-coverage.ts';
import { worlds } from '../../../../tests/evaluation/seeded-worlds.ts';
import { lowerBound } from '../intervals/lower-bound.ts';
import { keptAt } from '../sweep/label-sweep.ts';
import { boundPooledRecall } from './pooled-recall-bound.ts';

const promise = { recall: 0.8, brokenAtMost: 0.1 };
const eachImage = (count: number) => ({ count, ofImage: Uint32Array.from({ length: count }, (_, at) => at) });

describe('boundPooledRecall', () => {
  // bench/figures/coverage.ts runs the same with more runs, sizes and worlds, every night.
  it.each([
    ['crowd', 1500],
    ['video', 300],
  ] as const)('is broken no more often than it says in world %s', (name, elsewhereCount) => {
    const { given, broken } = promisesOn(name, { ...promise, recall: 0.6, unitCount: 60, runs: 40, elsewhereCount }).pooled; // prettier-ignore
    expect(given).toBeGreaterThan(20);
    expect(broken / 40).toBeLessThanOrEqual(0.1);
  });

  it('keeps what a mean over images does not, where crowded images are the hard ones', () => {
    const { meanOverImages, pooled } = promisesOn('crowd', { ...promise, recall: 0.6, unitCount: 200, runs: 40, elsewhereCount: 1500 }); // prettier-ignore
    expect(meanOverImages.tooFewOfAllObjects / meanOverImages.given).toBeGreaterThan(0.15);
    expect(pooled.broken / pooled.given).toBeLessThanOrEqual(0.1);
  });

  it('gives the highest threshold at which, and below which, the bound of the ratio reaches the promise', () => {
    const { sweep, units } = worlds.crowd(5, 80);
    const { bound } = boundPooledRecall(sweep, units, promise);
    const boundAt = (kept: number): number => {
      const [found, truth] = [new Float64Array(units.count), new Float64Array(units.count)];
      for (const image of sweep.truthImage) truth[units.ofImage[image]!]!++;
      for (let at = 0; at < kept; at++) if (sweep.outcome[at] === 1) found[units.ofImage[sweep.image[at]!]!]!++;
      return lowerBound(found, truth, 1 - promise.brokenAtMost)!.bound;
    };
    expect(keptAt(sweep, bound!.threshold)).toBe(bound!.kept);
    for (let kept = bound!.kept; kept <= sweep.score.length; kept++)
      expect(boundAt(kept)).toBeGreaterThanOrEqual(promise.recall);
    expect(boundAt(bound!.kept - 1)).toBeLessThan(promise.recall);
    expect(bound!.seenRecall).toBeCloseTo(sweep.truePositives[bound!.kept]! / sweep.truthCount, 12);
  });

  it('is refused where one unit has most of the objects, whatever the others show', () => {
    const image = [...new Array<number>(100).fill(0), ...Array.from({ length: 44 }, (_, at) => at + 1)];
    const rows = image.map((of): SimulatedRow => ({ score: 0.9, image: of, outcome: 1 }));
    const { refused } = boundPooledRecall(sweepOf(rows, image), eachImage(45), { recall: 0.95, brokenAtMost: 0.1 });
    expect(refused).toEqual({ reason: 'too-few', units: 45, evenUnits: 2, unitsNeeded: 45 });
  });

  it('is refused where the model itself finds too little', () => {
    const { sweep, units } = worlds.plain(1, 300);
    expect(boundPooledRecall(sweep, units, { recall: 0.95, brokenAtMost: 0.1 }).refused).toMatchObject({ reason: 'too-low' }); // prettier-ignore
  });
});
