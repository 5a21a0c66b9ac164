import { expect, test } from 'vitest';
import { seededSet } from '../../../../tests/coco-golden/seeded-sets.ts';
import { DetectionSetBuilder, TruthSetBuilder } from '../build-sets.ts';
import { readCocoResults, readCocoTruth } from '../coco/read-coco.ts';
import { seededNumbers } from '../intervals/seeded-numbers.ts';
import { matchBoxes } from '../match/match-boxes.ts';
import { sweepLabels } from './label-sweep.ts';
import { metricsAt } from './metrics-at.ts';
import { recallBySize, truthBySize } from './recall-by-size.ts';
import { scoreHistogram } from './score-histogram.ts';

test.each([1, 2, 3, 10, 20, 30])('sizes and scores sum to the counts at any threshold, seed %i', (seed) => {
  const set = seededSet(seed);
  const file = readCocoTruth(set.truth);
  const { detections } = readCocoResults(set.results, file);
  const { truth, space } = file;
  const matches = matchBoxes(truth, detections, space, { maxDetections: Infinity });
  const sweeps = sweepLabels(matches);
  const sizes = truthBySize(matches, truth);
  const next = seededNumbers(seed);
  const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0);
  for (let time = 0; time < 50; time++) {
    const thresholds = Float64Array.from(space.labels, () => (next() % 101) / 100);
    const { perLabel, total } = metricsAt(sweeps, thresholds);
    const all = recallBySize(sizes, thresholds, null);
    expect(sum(all.map(({ found }) => found))).toBe(total.truePositives);
    expect(sum(all.map(({ truth: count }) => count))).toBe(total.truePositives + total.missed);
    for (const { label, truePositives } of perLabel)
      expect(sum(recallBySize(sizes, thresholds, label).map(({ found }) => found))).toBe(truePositives);
  }
  const { right, wrong, neverFound } = scoreHistogram(sweeps, 20);
  const all = metricsAt(sweeps, new Float64Array(space.labels.length).fill(-Infinity)).total;
  expect([sum(right), sum(wrong), neverFound]).toEqual([all.truePositives, all.falsePositives, all.missed]);
  const from = metricsAt(sweeps, new Float64Array(space.labels.length).fill(0.5)).total;
  expect([sum(right.subarray(10)), sum(wrong.subarray(10))]).toEqual([from.truePositives, from.falsePositives]);
});

test('parts sizes by the square root of the area field, each edge beginning the next size', () => {
  const areas = [0, 255, 256, 1023, 1024, 96 ** 2 - 1, 96 ** 2, 384 ** 2, 1e9];
  const truth = new TruthSetBuilder();
  for (const area of areas) truth.add(0, 0, [0, 0, 5, 5], { area });
  const found = new DetectionSetBuilder();
  const matches = matchBoxes(truth.build(), found.build(), { imageCount: 1, labels: ['cup'] });
  const sizes = truthBySize(matches, truth.build());
  expect(sizes.flatMap(({ bin, truth: count }) => Array<number>(count).fill(bin))).toEqual([0, 0, 1, 1, 2, 3, 4, 6, 6]);
  expect(recallBySize(sizes, [0], null).map(({ from, below, truth: count }) => [from, below, count])).toEqual([
    [0, 16, 2],
    [16, 32, 2],
    [32, 64, 1],
    [64, 96, 1],
    [96, 192, 1],
    [384, Infinity, 2],
  ]);
});

test('puts scores outside of 0 to 1 into the end bins', () => {
  const found = new DetectionSetBuilder();
  for (const score of [-2, 0, 0.49, 0.5, 1, 7]) found.add(0, 0, [0, 0, 5, 5], score);
  const space = { imageCount: 1, labels: ['cup'] };
  const sweeps = sweepLabels(matchBoxes(new TruthSetBuilder().build(), found.build(), space));
  expect([...scoreHistogram(sweeps, 4).wrong]).toEqual([2, 1, 1, 2]);
});
