import { expect, it } from 'vitest';
import { footageFrame, memoryFootageStore } from '../../../../../tests/footage-frames.ts';
import type { FilterRule } from '../../../../machine/vision/filtered-camera/filter-rule.ts';
import { RunFrames } from '../run-frames.ts';
import { filterPreview, type FilterOrder } from './filter-preview.ts';

const rule = (score: number): FilterRule => ({
  camera: 'cam',
  inhibitors: [],
  acceptors: [{ vision: 'pets', inhibit: false, classifications: {}, objects: { cat: score } }],
  beforeMs: 0,
  afterMs: 0,
  cooldownMs: 0,
  imageFrequencyHz: 10,
  ringSize: 0,
});

/** Ten frames a second for ten seconds, of which each has a cat with a score that rises to 1. */
function rising(): RunFrames {
  const frames = new RunFrames(memoryFootageStore(), 'one');
  for (let index = 0; index < 100; index++) frames.add(footageFrame(index, [['cat', (index + 1) / 100]]));
  return frames;
}

const frames = rising();
const order = (score: number, also: Partial<FilterOrder> = {}): FilterOrder => ({
  frames,
  durationMs: 10_000,
  service: 'pets',
  thresholds: { defaultMinimumConfidence: 0, labelConfidences: {} },
  setting: { rule: rule(score), captureHz: 1 },
  ...also,
});

it('plays all frames to their end, through the thresholds of the service', async () => {
  const preview = filterPreview();
  await preview.follow(order(0.5));
  // The data manager asks at 0.05, 1.05 … 9.05 s.
  expect(preview.result).toMatchObject({ asked: 10, counts: { captures: { triggered: 5, 'held-back': 5 } } });
  await preview.follow(order(0, { thresholds: { defaultMinimumConfidence: 0.75, labelConfidences: {} } }));
  expect(preview.result?.counts.captures.triggered).toBe(2);
});

it('shows nothing of another service meanwhile', async () => {
  const preview = filterPreview();
  await preview.follow(order(0.5));
  const same = preview.follow(order(0.6));
  expect(preview.result).not.toBeNull();
  const service = preview.follow(order(0.6, { service: 'people' }));
  expect(preview.result).toBeNull();
  await Promise.all([same, service]);
});
