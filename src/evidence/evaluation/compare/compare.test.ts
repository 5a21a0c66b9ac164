import { describe, expect, test } from 'vitest';
import { seededSweep } from '../../../../tests/evaluation/seeded-frames.ts';
import { DetectionSetBuilder, TruthSetBuilder, type Box } from '../build-sets.ts';
import { evaluateBoxes } from '../summary/summarize.ts';
import { countsAt, ratesOf } from '../sweep/label-sweep.ts';
import { seededNumbers } from '../intervals/seeded-numbers.ts';
import { chooseThreshold } from '../choose/choose-threshold.ts';
import { compareDetections } from './compare-detections.ts';
import { compareFigures, judgeDifferences, measureAveragePrecision } from './compare-figures.ts';

const compareAveragePrecision = (...[first, second, units]: Parameters<typeof measureAveragePrecision>) =>
  judgeDifferences(measureAveragePrecision(first, second, units), units.count);

function setOf(rows: readonly (readonly [image: number, label: number, box: Box, score: number])[]) {
  const builder = new DetectionSetBuilder();
  for (const row of rows) builder.add(...row);
  return builder.build();
}

describe('compareDetections', () => {
  const first = setOf([
    [0, 0, [0, 0, 10, 10], 0.9],
    [0, 0, [100, 0, 50, 50], 0.8],
    [0, 0, [200, 0, 10, 10], 0.7],
    [1, 0, [0, 0, 10, 10], 0.6],
    [1, 1, [300, 0, 0, 9], 0.6],
  ]);
  const second = setOf([
    [0, 0, [1, 0, 10, 10], 0.9], // moved by 1 px: the same
    [0, 0, [103, 0, 50, 50], 0.8], // moved by 3 px
    [0, 1, [200, 0, 10, 10], 0.7], // another label
    [1, 1, [300, 0, 0, 9], 0.6], // a box as thin as a line, and the same
    [2, 0, [5, 5, 9, 9], 0.5],
  ]);

  test('says what vanishes, appears, moves and changes its label', () => {
    const { counts, changes } = compareDetections(first, second);
    expect(counts).toEqual({ same: 2, moved: 1, relabelled: 1, vanished: 1, appeared: 1 });
    expect(changes.map(({ kind, image, movedPx }) => [kind, image, movedPx])).toEqual([
      ['moved', 0, 3],
      ['relabelled', 0, 0],
      ['vanished', 1, 0],
      ['appeared', 2, 0],
    ]);
  });

  test('compares what the thresholds keep, and counts by the distance that is asked', () => {
    const { counts } = compareDetections(first, second, { secondThresholds: [0.85, 0.85], movedMoreThanPx: 0 });
    expect(counts).toEqual({ same: 0, moved: 1, relabelled: 0, vanished: 4, appeared: 0 });
  });

  test('pairs those that overlap most, whatever the order, and names the rows of both sides', () => {
    const one = setOf([
      [3, 0, [0, 0, 10, 10], 0.9],
      [1, 0, [500, 0, 10, 10], 0.9],
    ]);
    const other = setOf([
      [3, 0, [3, 0, 10, 10], 0.9], // overlaps, too, but less than the next
      [3, 0, [1, 0, 10, 10], 0.8],
      [2, 0, [500, 0, 10, 10], 0.9],
    ]);
    const rows = compareDetections(one, other).changes.map(({ kind, image, first: a, second: b }) => [
      kind,
      image,
      a,
      b,
    ]);
    expect(rows).toEqual([
      ['vanished', 1, 1, -1],
      ['appeared', 2, -1, 2],
      ['appeared', 3, -1, 0],
    ]);
    const turned = compareDetections(other, one).changes.map(({ kind, image, first: a, second: b }) => [
      kind,
      image,
      a,
      b,
    ]);
    expect(turned).toEqual([
      ['appeared', 1, -1, 1],
      ['vanished', 2, 2, -1],
      ['vanished', 3, 0, -1],
    ]);
  });

  test.each<[string, Box, number]>([
    ['left edge', [4, 0, 16, 20], 4],
    ['upper edge', [0, 5, 20, 15], 5],
    ['right edge', [0, 0, 23, 20], 3],
    ['lower edge', [0, 0, 20, 26], 6],
  ])('says by how much the edge moved that moved most: the %s', (_, box, px) => {
    const still = setOf([[0, 0, [0, 0, 20, 20], 0.9]]);
    const [change] = compareDetections(still, setOf([[0, 0, box, 0.9]])).changes;
    expect(change).toMatchObject({ kind: 'moved', movedPx: px });
  });

  test('finds nothing changed in the same', () => {
    expect(compareDetections(first, first).changes).toEqual([]);
  });
});

describe('compareFigures', () => {
  const units = (count: number) => ({ count, ofImage: Uint32Array.from({ length: count }, (_, at) => at) });
  const side = (images: number, threshold: number) => ({ sweeps: [seededSweep(5, images)], thresholds: [threshold] });

  test('cannot tell a side from itself, and no number of units would', () => {
    for (const one of compareFigures(side(40, 0.5), side(40, 0.5), units(40))) {
      expect(one).toMatchObject({ verdict: 'cannot tell', unitsToTell: null, difference: { value: 0 } });
    }
  });

  test('says which is better, and keeps silent where frames are too few', () => {
    const of = (images: number) =>
      compareFigures(side(images, 0.7), side(images, 0.4), units(images)).filter(({ label }) => label === null);
    expect(of(400).find(({ figure }) => figure === 'recall')).toMatchObject({ verdict: 'better' });
    expect(of(400).find(({ figure }) => figure === 'precision')).toMatchObject({ verdict: 'worse' });
    expect(of(400).find(({ figure }) => figure === 'AP50')!.difference!.value).toBe(0);
    const few = compareFigures(side(12, 0.5), side(12, 0.47), units(12)).filter(
      ({ verdict }) => verdict === 'cannot tell',
    );
    expect(few.length).toBeGreaterThan(0);
  });

  test('counts a label that has truth on one side alone, and none that has it on neither', () => {
    const sweepsOf = (truthOf: number | null) => {
      const [truth, found] = [new TruthSetBuilder(), new DetectionSetBuilder()];
      if (truthOf !== null) truth.add(0, truthOf, [0, 0, 10, 10]);
      for (const label of [0, 1, 2]) found.add(0, label, [0, 0, 10, 10], 0.9);
      const space = { imageCount: 1, labels: ['a', 'b', 'c'] };
      return { sweeps: evaluateBoxes(truth.build(), found.build(), space, []).sweeps, thresholds: [0, 0, 0] };
    };
    const labelsOf = (one: number | null, other: number | null) => [
      ...new Set(compareFigures(sweepsOf(one), sweepsOf(other), units(1)).map(({ label }) => label)),
    ];
    expect(labelsOf(0, 2)).toEqual([null, 0, 2]);
    expect(labelsOf(null, null)).toEqual([]);
    const [undefinedOnOne] = compareAveragePrecision(sweepsOf(null).sweeps, sweepsOf(1).sweeps, units(1));
    expect(undefinedOnOne).toMatchObject({ first: null, difference: null, verdict: 'cannot tell' });
    expect(undefinedOnOne!.second).toBeCloseTo(1);
  });

  test('says nothing of the average precision of a single unit, and stays between -1 and 1 with few', () => {
    const found = (images: number) =>
      compareAveragePrecision([seededSweep(1, images)], [seededSweep(2, images)], units(images))[0]!;
    const single = found(1).difference!;
    expect([single.low, single.high]).toEqual([single.value - 1, 1]);
    const { low, high } = found(3).difference!;
    expect([low >= -1, high <= 1, high > low]).toEqual([true, true, true]);
  });

  test('sees that scores differ where outcomes do not', () => {
    const sweep = seededSweep(3, 30);
    const shifted = { ...sweep, score: sweep.score.map((one, at) => (sweep.image[at]! < 5 ? one / 2 : one)) };
    // Five units are too few to decide, whatever their interval.
    expect(compareAveragePrecision([sweep], [shifted], units(30))[0]).toMatchObject({
      verdict: 'cannot tell',
      unitsDiffering: 5,
    });
    expect(compareAveragePrecision([sweep], [sweep], units(30))[0]).toMatchObject({
      unitsToTell: null,
      unitsDiffering: 0,
    });
  });

  test('is narrower by pairing than either figure alone', () => {
    const all = compareFigures(side(100, 0.5), side(100, 0.45), units(100));
    const { low, high } = all.find(({ figure }) => figure === 'f1')!.difference!;
    const alone = chooseThreshold(seededSweep(5, 100), 100, { kind: 'best-f1' })!.expected.f1!;
    expect(high - low).toBeLessThan((alone.high - alone.low) / 2);
  });

  test('decides nothing while fewer than six units differ, and says how many would', () => {
    const sweepOf = (images: number, found: number) => {
      const [truth, detections] = [new TruthSetBuilder(), new DetectionSetBuilder()];
      for (let image = 0; image < images; image++) truth.add(image, 0, [0, 0, 10, 10]);
      for (let image = 0; image < found; image++) detections.add(image, 0, [0, 0, 10, 10], 0.9);
      return evaluateBoxes(truth.build(), detections.build(), { imageCount: images, labels: ['cup'] }, [0.5]).sweeps;
    };
    const compared = (images: number, one: number, other: number) =>
      compareFigures(
        { sweeps: sweepOf(images, one), thresholds: [0.5] },
        { sweeps: sweepOf(images, other), thresholds: [0.5] },
        units(images),
      ).filter(({ label }) => label === null);
    const [one, five, six] = [compared(1, 0, 1), compared(5, 0, 5), compared(6, 0, 6)].map((all) =>
      all.find(({ figure }) => figure === 'recall'),
    );
    expect(one).toMatchObject({ first: 0, second: 1, verdict: 'cannot tell', unitsToTell: 6 });
    expect(five).toMatchObject({ verdict: 'cannot tell', unitsToTell: 6, difference: { low: 0 } });
    expect(six).toMatchObject({ verdict: 'better', unitsToTell: null });
    const precision = [compared(1, 0, 1), compared(5, 0, 5), compared(6, 0, 6)].map(
      (all) => all.find(({ figure }) => figure === 'AP50')!.verdict,
    );
    expect(precision).toEqual(['cannot tell', 'cannot tell', 'better']);
  });

  test('seldom decides any of 20 labels where both sides are alike in truth, and finds the one that is not', () => {
    const sideOf = (seed: number) => ({
      sweeps: Array.from({ length: 20 }, (_, label) => ({ ...seededSweep(100 * seed + label, 40), label })),
      thresholds: new Array<number>(20).fill(0.5),
    });
    let [false20, found] = [0, 0];
    for (let seed = 1; seed <= 60; seed++) {
      const [first, second] = [sideOf(seed), sideOf(1000 + seed)];
      const decided = (side: typeof first): number[] =>
        compareFigures(first, side, units(40), []).flatMap(({ label, verdict }) =>
          label === null || verdict === 'cannot tell' ? [] : [label],
        );
      if (decided(second).length > 0) false20++;
      const worse = { ...second, thresholds: second.thresholds.with(7, 0.95) };
      if (decided(worse).includes(7)) found++;
    }
    expect(false20 / 60).toBeLessThanOrEqual(0.1);
    expect(found).toBe(60);
  });

  test('asks for more units where a label is decided by its own interval, and not among many', () => {
    const sweeps = Array.from({ length: 20 }, (_, label) => ({ ...seededSweep(label, 40), label }));
    const others = Array.from({ length: 20 }, (_, label) => ({ ...seededSweep(500 + label, 40), label }));
    const at = new Array<number>(20).fill(0.5);
    const alone = compareFigures({ sweeps, thresholds: at }, { sweeps: others, thresholds: at }, units(40), []).filter(
      ({ label, difference }) => label !== null && difference && (difference.low > 0 || difference.high < 0),
    );
    expect(alone.length).toBeGreaterThan(0);
    for (const one of alone) expect(one).toMatchObject({ verdict: 'cannot tell' });
    for (const { unitsToTell } of alone) expect(unitsToTell).toBeGreaterThan(40);
  });

  test('gives the figures of both sides, which differ by the difference', () => {
    const both = { ...side(60, 0.7), sweeps: [seededSweep(5, 60)] };
    for (const { figure, first, second, difference } of compareFigures(both, side(60, 0.4), units(60))) {
      expect(second! - first!).toBeCloseTo(difference!.value, 12);
      if (figure === 'AP50') continue;
      const at = (threshold: number) => ratesOf(countsAt(seededSweep(5, 60), threshold))[figure];
      expect([first, second]).toEqual([at(0.7), at(0.4)]);
    }
  });

  test('covers the real difference of average precision, too', () => {
    const shifted = (seed: number, images: number) => {
      const sweep = seededSweep(seed, images);
      // A third of the images, drawn by lot, loses what was found: average precision falls.
      const next = seededNumbers(seed + 1000);
      const isHit = Array.from({ length: images }, () => next() % 3 === 0);
      const outcome = sweep.outcome.map((one, at) => (one === 1 && isHit[sweep.image[at]!] ? 0 : one));
      return { ...sweep, outcome };
    };
    const of = (seed: number, images: number) =>
      compareAveragePrecision([seededSweep(seed, images)], [shifted(seed, images)], units(images))[0]!.difference!;
    const real = of(99, 5_000).value;
    let covered = 0;
    for (let seed = 1; seed <= 150; seed++) {
      const { low, high } = of(seed, 40);
      if (low <= real && real <= high) covered++;
    }
    expect(covered / 150).toBeGreaterThan(0.9);
    expect(covered / 150).toBeLessThan(1);
  });

  test('covers the real difference about 95 times of 100', () => {
    const world = seededSweep(99, 20_000);
    const real = ratesOf(countsAt(world, 0.4)).f1! - ratesOf(countsAt(world, 0.55)).f1!;
    let covered = 0;
    for (let seed = 1; seed <= 200; seed++) {
      const sweeps = [seededSweep(seed, 50)];
      const all = compareFigures({ sweeps, thresholds: [0.55] }, { sweeps, thresholds: [0.4] }, units(50));
      const { low, high } = all.find(({ figure }) => figure === 'f1')!.difference!;
      if (low <= real && real <= high) covered++;
    }
    expect(covered / 200).toBeGreaterThan(0.9);
    expect(covered / 200).toBeLessThan(0.99);
  });
});
