import { describe, expect, test } from 'vitest';
import { seededSweep } from '../../../tests/evaluation/seeded-frames.ts';
import { DetectionSetBuilder, type Box } from '../build-sets.ts';
import { countsAt, ratesOf } from '../sweep/label-sweep.ts';
import { chooseThreshold } from '../choose/choose-threshold.ts';
import { compareDetections } from './compare-detections.ts';
import { compareFigures } from './compare-figures.ts';

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
    [1, 1, [300, 0, 0, 9], 0.6], // as thin as a line, and the same
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

  test('is narrower by pairing than either figure alone', () => {
    const all = compareFigures(side(100, 0.5), side(100, 0.45), units(100));
    const { low, high } = all.find(({ figure }) => figure === 'f1')!.difference!;
    const alone = chooseThreshold(seededSweep(5, 100), 100, { kind: 'best-f1' })!.expected.f1!;
    expect(high - low).toBeLessThan((alone.high - alone.low) / 2);
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
