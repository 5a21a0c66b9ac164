import {
  boundPooledRecall,
  type PooledRecallPromise,
} from '../../src/evidence/evaluation/choose/pooled-recall-bound.ts';
import { boundRecall } from '../../src/evidence/evaluation/choose/recall-bound.ts';
import { keptAt, Outcome } from '../../src/evidence/evaluation/sweep/label-sweep.ts';
import { worlds, type SimulatedUnits } from './seeded-worlds.ts';

export interface PromiseRuns extends PooledRecallPromise {
  readonly unitCount: number;
  readonly runs: number;
  /** how many units tell what a threshold does elsewhere */
  readonly elsewhereCount: number;
}

/** Counts over all runs: in how many a promise was given, and in how many of these it does not hold elsewhere. */
interface Promised {
  readonly given: number;
  readonly broken: number;
}

export interface PromisedBoth {
  /** with how many of those that were given find too few of all objects together, which they do not promise */
  readonly meanOverImages: Promised & { readonly tooFewOfAllObjects: number };
  readonly pooled: Promised;
}

let elsewhere: { readonly key: string; readonly whole: SimulatedUnits } | null = null;

/** Promises recall on seeded draws from a world, both ways, and counts how often the promise is broken elsewhere. */
export function promisesOn(name: keyof typeof worlds, asked: PromiseRuns): PromisedBoth {
  const { unitCount, runs, elsewhereCount, ...promise } = asked;
  const key = `${name} ${elsewhereCount}`;
  if (elsewhere?.key !== key) elsewhere = { key, whole: worlds[name](999_999, elsewhereCount) };
  const { whole } = elsewhere;
  const meanOverImages = { given: 0, broken: 0, tooFewOfAllObjects: 0 };
  const pooled = { given: 0, broken: 0 };
  for (let run = 1; run <= runs; run++) {
    const { sweep, units } = worlds[name](104_729 * run + unitCount, unitCount);
    const ofMean = boundRecall(sweep, units, promise).bound;
    if (ofMean) {
      const { mean, ofAll } = recallAt(whole, ofMean.threshold);
      meanOverImages.given++;
      if (mean < promise.recall) meanOverImages.broken++;
      if (ofAll < promise.recall) meanOverImages.tooFewOfAllObjects++;
    }
    const ofPooled = boundPooledRecall(sweep, units, promise).bound;
    if (!ofPooled) continue;
    pooled.given++;
    if (recallAt(whole, ofPooled.threshold).ofAll < promise.recall) pooled.broken++;
  }
  return { meanOverImages, pooled };
}

function recallAt({ sweep, units: { count, ofImage } }: SimulatedUnits, threshold: number) {
  const [truth, found] = [new Uint32Array(count), new Uint32Array(count)];
  for (const image of sweep.truthImage) truth[ofImage[image]!]!++;
  const kept = keptAt(sweep, threshold);
  for (let at = 0; at < kept; at++) if (sweep.outcome[at] === Outcome.true) found[ofImage[sweep.image[at]!]!]!++;
  let [sum, units] = [0, 0];
  for (const [unit, of] of truth.entries()) {
    if (of === 0) continue;
    units++;
    sum += found[unit]! / of;
  }
  return { mean: sum / units, ofAll: sweep.truePositives[kept]! / sweep.truthCount };
}
