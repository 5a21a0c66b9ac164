import { expect, it } from 'vitest';
import { DetectionSetBuilder, TruthSetBuilder } from '../build-sets.ts';
import { evaluateBoxes } from './summarize.ts';

it('counts all results of an image at a threshold, where COCO looks at the 100 best', () => {
  const truth = new TruthSetBuilder();
  const detections = new DetectionSetBuilder();
  for (let at = 0; at < 150; at++) detections.add(0, 0, [200 + 20 * at, 0, 10, 10], 0.9);
  truth.add(0, 0, [0, 0, 10, 10]);
  detections.add(0, 0, [0, 0, 10, 10], 0.5);
  const { summary } = evaluateBoxes(truth.build(), detections.build(), { imageCount: 1, labels: ['cup'] }, [0.4]);
  expect(summary.total).toMatchObject({ truePositives: 1, falsePositives: 150, missed: 0 });
  expect(summary.metrics).toMatchObject({ AP: 0, AR100: 0 });
});
