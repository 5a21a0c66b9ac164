import { expect, it } from 'vitest';
import { seededNumbers } from '../intervals/seeded-numbers.ts';
import { DetectionSetBuilder, type Box } from '../build-sets.ts';
import { compareDetections } from './compare-detections.ts';
import { matchThresholds } from './match-thresholds.ts';

type Row = readonly [image: number, label: number, x: number, score: number];
function setOf(rows: readonly Row[]) {
  const builder = new DetectionSetBuilder();
  for (const [image, label, x, score] of rows) builder.add(image, label, [x, 0, 10, 10], score);
  return builder.build();
}
const space = { imageCount: 9, labels: ['cat', 'dog'] };

it('finds the threshold of a label by which the kept boxes are those of the other run', () => {
  const other = setOf([
    [0, 0, 0, 0.9],
    [1, 0, 0, 0.6],
    [2, 0, 0, 0.4], // dropped there
  ]);
  const run = setOf([
    [0, 0, 1, 0.5],
    [1, 0, 1, 0.3],
    [2, 0, 1, 0.2],
    [3, 0, 0, 0.1],
  ]);
  expect(matchThresholds(run, [0.5, 0.5], other, [0.5, 0.5], space)).toEqual([
    { label: 0, wanted: 2, now: { kept: 1, shared: 1 }, change: { threshold: 0.3, then: { kept: 2, shared: 2 } } },
  ]);
});

it('leaves a threshold that no other one beats, and asks for nothing where neither run has anything', () => {
  const boxes = setOf([
    [0, 0, 0, 0.9],
    [1, 0, 0, 0.2],
  ]);
  expect(matchThresholds(boxes, [0.5], boxes, [0.5], space)).toEqual([
    { label: 0, wanted: 1, now: { kept: 1, shared: 1 }, change: null },
  ]);
});

it('drops what the other run drops: a threshold above every score', () => {
  const boxes = setOf([[0, 1, 0, 0.4]]);
  const [dog] = matchThresholds(boxes, [0.5, 0.3], boxes, [0.5, Infinity], space);
  expect(dog).toMatchObject({ label: 1, wanted: 0, now: { kept: 1, shared: 0 }, change: { then: { kept: 0 } } });
  expect(dog!.change!.threshold).toBeGreaterThan(0.4);
});

it('takes boxes of another label, or that overlap by less than half, for other boxes', () => {
  const other = setOf([[0, 0, 0, 0.9]]);
  const run = setOf([
    [0, 1, 0, 0.9],
    [0, 0, 6, 0.8],
  ]);
  const [cat] = matchThresholds(run, [0.5, 0.5], other, [0.5, 0.5], space);
  expect([cat!.now, cat!.change]).toEqual([{ kept: 1, shared: 0 }, null]);
});

it('keeps after a quantization what was kept before, but for boxes whose scores fall together', () => {
  const next = seededNumbers(4);
  const [float, int8] = [new DetectionSetBuilder(), new DetectionSetBuilder()];
  for (let image = 0; image < 200; image++) {
    const score = (next() % 1000) / 1000;
    const box: Box = [next() % 50, 0, 20, 20];
    float.add(image, 0, box, score);
    int8.add(image, 0, box, Math.round(score * 0.6 * 64) / 64); // lower, and in few steps
  }
  const [a, b] = [int8.build(), float.build()];
  const all = { imageCount: 200, labels: ['cat'] };
  const [cat] = matchThresholds(a, [0.5], b, [0.5], all);
  const { counts } = compareDetections(a, b, { firstThresholds: [cat!.change!.threshold], secondThresholds: [0.5] });
  expect(counts.vanished + counts.appeared).toBeLessThan(5);
  const before = compareDetections(a, b, { firstThresholds: [0.5], secondThresholds: [0.5] }).counts;
  expect(before.vanished + before.appeared).toBeGreaterThan(40);
  expect(cat!.change!.then).toEqual({ kept: counts.same + counts.vanished, shared: counts.same });
});
