import { expect, test } from 'vitest';
import { seededDraws } from '../../../../tests/evaluation/seeded-frames.ts';
import { calibrationOf, classificationMetrics } from './classification-metrics.ts';

test('counts what a table by hand counts', () => {
  const { accuracy, topK, perLabel, confusion } = classificationMetrics(
    {
      count: 4,
      labelCount: 3,
      truth: Uint32Array.of(0, 1, 2, 2),
      scores: Float64Array.of(0.7, 0.2, 0.1, 0.5, 0.4, 0.1, 0.1, 0.1, 0.8, 0.4, 0.4, 0.2),
    },
    [1, 2, 3],
  );
  expect(accuracy!.value).toBe(0.5);
  expect(topK).toEqual({ 1: 0.5, 2: 0.75, 3: 1 });
  expect([...confusion]).toEqual([1, 0, 0, 1, 0, 0, 1, 0, 1]);
  expect(perLabel[0]).toMatchObject({ precision: 1 / 3, recall: 1 });
  expect(perLabel[1]).toMatchObject({ precision: null, recall: 0 });
  expect(perLabel[2]).toMatchObject({ precision: 1, recall: 0.5 });
});

test('is undefined, not 0, without images', () => {
  const none = { count: 0, labelCount: 2, truth: new Uint32Array(), scores: new Float64Array() };
  const { accuracy, topK, calibration } = classificationMetrics(none);
  expect([accuracy, topK[1], calibration.expectedError]).toEqual([null, null, null]);
});

test('finds a calibrated model calibrated, and an over-confident one not', () => {
  const { uniform } = seededDraws(4);
  const scores = Array.from({ length: 20_000 }, uniform);
  const calibrated = scores.map((score) => ({ score, isRight: uniform() < score }));
  expect(calibrationOf(calibrated, 15).expectedError).toBeLessThan(0.02);
  const sure = calibrated.map(({ score, isRight }) => ({ score: Math.sqrt(score), isRight }));
  expect(calibrationOf(sure, 15).expectedError).toBeCloseTo(1 / 6, 1);
});

test('never parts equal scores of a quantised model', () => {
  const judged = Array.from({ length: 100 }, (_, at) => ({
    score: at < 70 ? 128 / 256 : 200 / 256,
    isRight: at % 2 === 0,
  }));
  expect(calibrationOf(judged, 15).bins.map(({ count }) => count)).toEqual([70, 30]);
});
