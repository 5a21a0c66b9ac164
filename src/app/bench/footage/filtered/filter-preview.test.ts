import { expect, it } from 'vitest';
import { footageFrame, memoryFootageStore } from '../../../../../tests/footage-frames.ts';
import type { FootageFrame } from '../../../../evidence/footage/footage-frame.ts';
import type { FilterRule } from '../../../../machine/vision/filtered-camera/filter-rule.ts';
import { RunFrames } from '../run-frames.ts';
import { FilterPreview, type FilterOrder } from './filter-preview.svelte.ts';

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
  const preview = new FilterPreview();
  await preview.follow(order(0.5));
  // The data manager asks at 0.05, 1.05 … 9.05 s.
  expect(preview.run).toMatchObject({ asked: 10, counts: { captures: { triggered: 5, 'held-back': 5 } } });
  await preview.follow(order(0, { thresholds: { defaultMinimumConfidence: 0.75, labelConfidences: {} } }));
  expect(preview.run?.counts.captures.triggered).toBe(2);
});

it('shows the setting that came last', async () => {
  const preview = new FilterPreview();
  await Promise.all([0.1, 0.9, 0.7].map((score) => preview.follow(order(score))));
  expect(preview.run?.counts.captures.triggered).toBe(3);
});

/** Frames that are read back as `all` says. */
const readBack = (all: () => AsyncGenerator<FootageFrame>): RunFrames =>
  Object.assign(Object.create(frames) as RunFrames, { all });

it('shows nothing that arrives after it was cleared, in the midst or at the end', async () => {
  const preview = new FilterPreview();
  const playing = preview.follow(order(0.5));
  preview.clear();
  await playing;
  expect(preview.run).toBeNull();
  const clearedLast = readBack(async function* () {
    yield* frames.all();
    preview.clear();
  });
  await preview.follow(order(0.5, { frames: clearedLast }));
  expect(preview.run).toBeNull();
  const clearedAndGone = readBack(async function* () {
    yield* frames.all();
    preview.clear();
    throw new Error('the run is gone');
  });
  await preview.follow(order(0.5, { frames: clearedAndGone }));
  expect(preview.fault).toBe('');
});

it('shows nothing of other frames or of another service meanwhile', async () => {
  const preview = new FilterPreview();
  await preview.follow(order(0.5));
  const same = preview.follow(order(0.6));
  expect(preview.run).not.toBeNull();
  const other = preview.follow(order(0.6, { frames: rising() }));
  expect(preview.run).toBeNull();
  await Promise.all([same, other]);
  await preview.follow(order(0.6));
  const service = preview.follow(order(0.6, { service: 'people' }));
  expect(preview.run).toBeNull();
  await service;
});

it('says why frames could not be read back, until they can', async () => {
  const preview = new FilterPreview();
  const gone = readBack(() => {
    throw new Error('the run is gone');
  });
  await preview.follow(order(0.5, { frames: gone }));
  expect(preview.fault).toBe('the run is gone');
  await preview.follow(order(0.5));
  expect([preview.fault, preview.run?.asked]).toEqual(['', 10]);
});
