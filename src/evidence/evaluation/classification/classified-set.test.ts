import { expect, test } from 'vitest';
import { classificationMetrics } from './classification-metrics.ts';
import { classifiedSet } from './classified-set.ts';

const labels = ['crane', 'cat', 'Crane'];
const figures = (scores: Float64Array) =>
  classificationMetrics(classifiedSet(labels, [{ truth: ['crane'], scores }]).classified, [1, 2]);

test('takes classes of one name for one label, whichever of them the model means', () => {
  expect(figures(Float64Array.of(0.7, 0.2, 0.1)).accuracy!.value).toBe(1);
  expect(figures(Float64Array.of(0.1, 0.2, 0.7)).accuracy!.value).toBe(1);
  expect(figures(Float64Array.of(0.1, 0.7, 0.2)).accuracy!.value).toBe(0);
});

test('counts such a label once among the best, with the best of its scores', () => {
  const { topK, calibration, perLabel } = figures(Float64Array.of(0.1, 0.3, 0.6));
  expect(topK).toEqual({ 1: 1, 2: 1 });
  expect(calibration.bins[0]!.meanScore).toBe(0.6);
  expect(perLabel[2]).toMatchObject({ truePositives: 0, falsePositives: 0, missed: 0 });
});

test('leaves out images without a label that the model can report', () => {
  const scores = Float64Array.of(0.1, 0.2, 0.7);
  const { counted } = classifiedSet(labels, [
    { truth: ['cow'], scores },
    { truth: ['cow', 'CAT'], scores },
  ]);
  expect(counted).toEqual([1]);
});
