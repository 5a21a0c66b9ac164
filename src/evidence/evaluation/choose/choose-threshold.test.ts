import { describe, expect, test } from 'vitest';
import { seededSweep, sweepOf } from '../../../../tests/evaluation/seeded-frames.ts';
import { shuffled } from '../intervals/seeded-numbers.ts';
import { countsAt, countsOfBest, cutsOf, Outcome, ratesOf, type LabelSweep } from '../sweep/label-sweep.ts';
import { canChoose, chooseThreshold, restrictSweep } from './choose-threshold.ts';
import { chooseCut, type Goal } from './goal.ts';
import { boundRecall } from './recall-bound.ts';

const goals: readonly Goal[] = [
  { kind: 'best-f1' },
  { kind: 'precision', atLeast: 0.9 },
  { kind: 'recall', atLeast: 0.85 },
  { kind: 'cost', missedCost: 3 },
  { kind: 'false-per-hour', atMost: 720, framesPerSecond: 1 },
];

describe('chooseCut', () => {
  test.each(goals)('is the best of all cuts for $kind', (goal) => {
    const sweep = seededSweep(7, 60);
    const { kept, reaches } = chooseCut(sweep, goal, 60);
    expect(reaches).toBe(true);
    const chosen = { ...countsOfBest(sweep, kept), ...ratesOf(countsOfBest(sweep, kept)) };
    for (const cut of cutsOf(sweep)) {
      const counts = countsOfBest(sweep, cut);
      const { precision, recall, f1 } = ratesOf(counts);
      if (goal.kind === 'best-f1') expect(f1!).toBeLessThanOrEqual(chosen.f1!);
      if (goal.kind === 'precision' && precision !== null && precision >= 0.9)
        expect(counts.truePositives).toBeLessThanOrEqual(chosen.truePositives);
      if (goal.kind === 'recall' && recall! >= 0.85) expect(precision!).toBeLessThanOrEqual(chosen.precision!);
      if (goal.kind === 'cost')
        expect(counts.falsePositives + 3 * counts.missed).toBeGreaterThanOrEqual(
          chosen.falsePositives + 3 * chosen.missed,
        );
      if (goal.kind === 'false-per-hour' && counts.falsePositives <= 12)
        expect(counts.truePositives).toBeLessThanOrEqual(chosen.truePositives);
    }
  });

  test.each<Goal>([
    { kind: 'precision', atLeast: 0.6 },
    { kind: 'false-per-hour', atMost: 3600, framesPerSecond: 1 },
  ])('keeps no false box more for the same true ones, for $kind', (goal) => {
    const rows = ([1, 1, 0] as const).map((outcome, at) => ({ score: 0.9 - at / 10, image: 0, outcome }));
    expect(chooseCut(sweepOf(rows, [0, 0, 0]), goal, 1)).toEqual({ kept: 2, reaches: true });
  });

  test.each<[Goal, number]>([
    [{ kind: 'precision', atLeast: 2 / 3 }, 3],
    [{ kind: 'recall', atLeast: 2 / 3 }, 2],
    [{ kind: 'false-per-hour', atMost: 3600, framesPerSecond: 1 }, 4],
  ])('reaches a goal that is met exactly: %j', (goal, kept) => {
    const outcomes = goal.kind === 'recall' ? ([1, 1, 0, 1] as const) : ([1, 0, 1, 1] as const);
    const rows = outcomes.slice(0, goal.kind === 'precision' ? 3 : 4).map((outcome, at) => ({ score: 0.9 - at / 10, image: 0, outcome }));
    expect(chooseCut(sweepOf(rows, [0, 0, 0]), goal, 1)).toEqual({ kept, reaches: true });
  }); // prettier-ignore

  test('says that no threshold reaches the goal, and comes nearest', () => {
    const sweep = seededSweep(7, 60);
    expect(chooseCut(sweep, { kind: 'recall', atLeast: 0.999 }, 60)).toMatchObject({ reaches: false });
    const { kept } = chooseCut(sweep, { kind: 'recall', atLeast: 0.999 }, 60);
    expect(countsOfBest(sweep, kept).truePositives).toBe(sweep.truePositives.at(-1));
  });
});

describe('chooseThreshold', () => {
  test('writes a threshold that keeps exactly what was counted', () => {
    for (const goal of goals) {
      const sweep = seededSweep(3, 50);
      const choice = chooseThreshold(sweep, 50, goal)!;
      expect(countsAt(sweep, choice.threshold)).toEqual({
        truePositives: choice.seen.truePositives,
        falsePositives: choice.seen.falsePositives,
        missed: choice.seen.missed,
      });
    }
  });

  test('says less on other frames than on those that it was chosen on, on average', () => {
    let [seen, expected] = [0, 0];
    for (let seed = 1; seed <= 100; seed++) {
      const choice = chooseThreshold(seededSweep(seed, 30), 30, { kind: 'best-f1' })!;
      seen += choice.seen.f1!;
      expected += choice.expected.f1!.value;
    }
    expect(expected).toBeLessThan(seen);
  });

  test('is wider where frames of a clip belong together', () => {
    const sweep = seededSweep(5, 60);
    const width = (options = {}): number => {
      const { low, high } = chooseThreshold(sweep, 60, { kind: 'best-f1' }, options)!.expected.f1!;
      return high - low;
    };
    const units = { count: 6, ofImage: Uint32Array.from({ length: 60 }, (_, image) => Math.floor(image / 10)) };
    expect(width({ units })).toBeGreaterThan(width());
  });

  test('says when there are too few frames: how many it takes for an interval to rely on', () => {
    const tooFewOf = (images: number) =>
      chooseThreshold(seededSweep(1, images), images, { kind: 'precision', atLeast: 0.9 })!.tooFew;
    expect(tooFewOf(3)).toEqual({ atLeast: 40 });
    expect(tooFewOf(39)).toEqual({ atLeast: 40 });
    expect(chooseThreshold(seededSweep(1, 400), 400, { kind: 'best-f1' })!.tooFew).toBeNull();
    const width = (images: number): number => {
      const { low, high } = chooseThreshold(seededSweep(2, images), images, { kind: 'best-f1' })!.expected.f1!;
      return high - low;
    };
    expect(width(400) / width(100)).toBeCloseTo(0.5, 1);
  });

  test('judges the frames for a number of false boxes by the interval of that number', () => {
    // Whoever allows 1,800 in 3,600 images sees enough of them in 400 images; of one in 3,600 images not.
    const tooFewFor = (atMost: number) =>
      chooseThreshold(seededSweep(1, 400), 400, { kind: 'false-per-hour', atMost, framesPerSecond: 1 })!.tooFew;
    expect(tooFewFor(1800)).toBeNull();
    expect(tooFewFor(1)).toEqual({ moreToHalve: 1200 });
  });

  test('expects on other images about as many false boxes as were allowed by the images that it was chosen on', () => {
    const goal: Goal = { kind: 'false-per-hour', atMost: 1800, framesPerSecond: 1 };
    const { expected, seen } = chooseThreshold(seededSweep(1, 400), 400, goal)!;
    expect(seen.falsePositives / 400).toBeLessThanOrEqual(0.5);
    expect(Math.abs(expected.falsePerImage!.value - 0.5)).toBeLessThan(0.1);
    expect(Math.abs(expected.recall!.value - seen.recall!)).toBeLessThan(0.1);
  });

  test('chooses nothing for a label without truth, and for one that no result has', () => {
    const none: LabelSweep = { ...restrictSweep(seededSweep(1, 10), () => false) };
    expect(chooseThreshold(none, 10, { kind: 'best-f1' })).toBeNull();
    expect(chooseThreshold({ ...none, truthCount: 3 }, 10, { kind: 'best-f1' })).toBeNull();
  });

  test('chooses nothing for a label of which no result is right, whatever the goal', () => {
    const sweep = seededSweep(1, 10);
    const wrong = {
      ...sweep,
      outcome: sweep.outcome.map(() => Outcome.false),
      truePositives: sweep.truePositives.map(() => 0),
    };
    expect(canChoose(sweep)).toBe(true);
    for (const goal of [
      { kind: 'best-f1' },
      { kind: 'recall', atLeast: 0.9 },
      { kind: 'cost', missedCost: 2 },
    ] as const)
      expect(chooseThreshold(wrong, 10, goal)).toBeNull();
  });

  // bench/figures/coverage.ts runs it 2,000 times over more worlds.
  test('has 95 % intervals that cover the figures on other frames', () => {
    const world = seededSweep(123456, 20_000);
    const runs = 250;
    for (const [goal, figure] of [
      [{ kind: 'best-f1' }, 'f1'],
      [{ kind: 'precision', atLeast: 0.9 }, 'precision'],
      [{ kind: 'recall', atLeast: 0.85 }, 'recall'],
    ] as const) {
      let covered = 0;
      for (let run = 1; run <= runs; run++) {
        const { threshold, expected } = chooseThreshold(seededSweep(run, 60), 60, goal, { seed: run })!;
        const { low, high } = expected[figure]!;
        const real = ratesOf(countsAt(world, threshold))[figure]!;
        if (low <= real && real <= high) covered++;
      }
      expect(covered / runs, goal.kind).toBeGreaterThan(0.91);
      expect(covered / runs, goal.kind).toBeLessThan(0.99);
    }
  });
});

describe('boundRecall', () => {
  const eachImage = (count: number) => ({ count, ofImage: Uint32Array.from({ length: count }, (_, at) => at) });
  const meanRecall = (sweep: LabelSweep, threshold: number, images: number): number => {
    const [truth, found] = [new Uint32Array(images), new Uint32Array(images)];
    for (const image of sweep.truthImage) truth[image]!++;
    for (let at = 0; at < sweep.score.length && sweep.score[at]! >= threshold; at++)
      if (sweep.outcome[at] === 1) found[sweep.image[at]!]!++;
    return truth.reduce((sum, of, image) => sum + (of > 0 ? found[image]! / of : 0), 0) / images;
  };

  test('is broken at most as often as it says, over 1,000 splits', () => {
    const images = 1000;
    const world = seededSweep(77, images);
    let [broken, given, sum] = [0, 0, 0];
    for (let split = 1; split <= 1000; split++) {
      const isCalibration = new Uint8Array(images);
      for (const image of shuffled(images, split).subarray(0, 150)) isCalibration[image] = 1;
      const calibration = restrictSweep(world, (image) => isCalibration[image] === 1);
      const { bound } = boundRecall(calibration, eachImage(images), { recall: 0.8, brokenAtMost: 0.1 });
      if (!bound) continue;
      given++;
      const others = restrictSweep(world, (image) => isCalibration[image] === 0);
      const recall = (meanRecall(others, bound.threshold, images) * images) / (images - 150);
      sum += recall;
      if (recall < 0.8) broken++;
    }
    expect(given).toBeGreaterThan(900);
    expect(broken / given).toBeLessThanOrEqual(0.1);
    expect(sum / given).toBeLessThan(0.88); // and it is no empty promise
  });

  test('is refused where there are too few frames, with how many it takes', () => {
    const answer = boundRecall(seededSweep(1, 30), eachImage(30), { recall: 0.95, brokenAtMost: 0.1 });
    expect(answer.bound).toBeNull();
    expect(answer.refused).toMatchObject({ reason: 'too-few', units: 30 });
    expect(answer.refused!.unitsNeeded).toBeGreaterThan(40);
    const onAverage = boundRecall(seededSweep(1, 10), eachImage(10), { recall: 0.95, brokenAtMost: null });
    expect(onAverage.refused).toEqual({ reason: 'too-few', unitsNeeded: 19, units: 10, evenUnits: 10 });
  });

  test('is refused where the model itself finds too little', () => {
    const answer = boundRecall(seededSweep(1, 500), eachImage(500), { recall: 0.95, brokenAtMost: 0.1 });
    expect(answer.refused).toMatchObject({ reason: 'too-low' });
  });

  test('keeps the promise on average without a rate, by conformal risk control', () => {
    let sum = 0;
    for (let seed = 1; seed <= 200; seed++) {
      const { bound } = boundRecall(seededSweep(seed, 60), eachImage(60), { recall: 0.8, brokenAtMost: null });
      sum += meanRecall(seededSweep(5000 + seed, 60), bound!.threshold, 60);
    }
    expect(sum / 200).toBeGreaterThan(0.8);
  });
});
