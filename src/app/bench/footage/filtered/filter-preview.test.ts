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
  others: [],
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

/** Dogs on the frames of these numbers, of which some are missing. */
function dogsOn(numbers: readonly number[], isThere = (_: number) => true): RunFrames {
  const seen = new RunFrames(memoryFootageStore(), 'two');
  for (let index = 0; index < 100; index++)
    if (isThere(index)) seen.add(footageFrame(index, numbers.includes(index) ? [['dog', 0.8]] : []));
  return seen;
}

it('plays what other services said of the same frames, each through its own thresholds', async () => {
  const inhibitor = { vision: 'people', inhibit: true, classifications: {}, objects: { dog: 0.5 } };
  const setting = { rule: { ...rule(0.5), inhibitors: [inhibitor] }, captureHz: 1 };
  const countsWith = async (dogs: RunFrames, lowest: number) => {
    const preview = filterPreview();
    const thresholds = { defaultMinimumConfidence: lowest, labelConfidences: {} };
    await preview.follow(order(0.5, { setting, others: [{ service: 'people', frames: dogs, thresholds }] }));
    return preview.result?.counts.captures;
  };
  // The data manager asks at 0.05, 1.05 … 9.05 s: of frames 0, 10 … 90.
  expect(await countsWith(dogsOn([60, 61, 81]), 0)).toMatchObject({ triggered: 4, 'held-back': 6 });
  expect(await countsWith(dogsOn([60]), 0.9)).toMatchObject({ triggered: 5, 'held-back': 5 });
  expect(
    await countsWith(
      dogsOn([60], (index) => index % 20 > 0),
      0,
    ),
  ).toMatchObject({ failed: 5 });
});
