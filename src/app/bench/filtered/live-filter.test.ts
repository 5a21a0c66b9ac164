import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { footageFrame } from '../../../../tests/footage-frames.ts';
import { noTimings } from '../../../../tests/no-timings.ts';
import { FilteredRunPlay } from '../../../evidence/footage/filtered/filtered-run.ts';
import { serviceFilter } from '../../../machine/vision/filter/service-filter.ts';
import { Throttle } from '../../../base/schedule/throttle.ts';
import type { FilterRule } from '../../../machine/vision/filtered-camera/filter-rule.ts';
import { LiveFilter, type LiveOrder } from './live-filter.svelte.ts';
import type { LiveFrame } from './live-stream.svelte.ts';

const rule = (score: number, also: Partial<FilterRule> = {}): FilterRule => ({
  camera: 'cam',
  inhibitors: [],
  acceptors: [{ vision: 'pets', inhibit: false, classifications: {}, objects: { cat: score } }],
  beforeMs: 1000,
  afterMs: 1000,
  cooldownMs: 2000,
  imageFrequencyHz: 2,
  ringSize: 12,
  ...also,
});

const order = (score: number, also: Partial<LiveOrder> = {}): LiveOrder => ({
  source: 'clip.mp4',
  service: 'pets',
  thresholds: { defaultMinimumConfidence: 0, labelConfidences: {} },
  beside: null,
  setting: { rule: rule(score), captureHz: 1 },
  ...also,
});

/** A frame at a time, with a cat of a score. */
function frameAt(timeMs: number, cat: number, also: Partial<LiveFrame> & { takenAtMs?: number; ranMs?: number } = {}) {
  const { takenAtMs = 1_000_000 + timeMs, ranMs = 0, ...rest } = also;
  const { detections } = footageFrame(0, cat > 0 ? [['cat', cat]] : []);
  const frame = { name: 'clip.mp4', index: timeMs, timestampMs: timeMs, takenAtMs };
  const timings = { ...noTimings, totalMs: ranMs };
  const result = { frame, stages: [], detections, classifications: null, problems: [], timings };
  return { result, isStreaming: true, isTimedByPage: false, madeBy: 'plan', ...rest };
}

function opened(first = order(0.5)) {
  const copied: string[] = [];
  let number = 0;
  const live = new LiveFilter({
    copyStage: () => Promise.resolve({ number: number++, close: () => undefined } as unknown as ImageBitmap),
    small: (picture) => {
      const name = `picture ${(picture as unknown as { number: number }).number}`;
      copied.push(name);
      return name;
    },
    throttle: new Throttle(0, { nowMs: () => 0, after: (_, task) => task() }),
  });
  live.follow(first);
  return { live, copied };
}

/** Ten frames a second of these times, with cats at some. */
function play(live: LiveFilter, fromMs: number, toMs: number, catFromMs = Infinity, catToMs = Infinity): void {
  for (let timeMs = fromMs; timeMs <= toMs; timeMs += 100)
    live.take(frameAt(timeMs, timeMs >= catFromMs && timeMs < catToMs ? 0.9 : 0));
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('counts as the whole-video preview does, frame by frame', () => {
  const { live } = opened();
  // The worker takes an image at 0.5, 1, 1.5 … s; the data manager asks at 0.25, 1.25 … s.
  play(live, 0, 2200, 2200);
  expect(live.now).toMatchObject({ asked: 2, waiting: 0, durationMs: 2200, phase: { kind: 'waiting' } });
  play(live, 2300, 2600);
  expect(live.now).toMatchObject({ asked: 3, phase: { kind: 'window', leftMs: 650 } });
  expect(live.images.map(({ kept }) => [kept.image.timeMs, kept.role])).toEqual([
    [2200, 'trigger'],
    [2000, 'before'],
    [1500, 'before'],
  ]);
  play(live, 2700, 3300);
  expect(live.now!.phase).toEqual({ kind: 'cooldown', leftMs: 1950 });
  expect(live.now!.counts).toMatchObject({ given: 5, captures: { triggered: 1, 'held-back': 2, window: 1 } });
});

it('counts what the whole-video preview counts of the same frames', () => {
  const { live } = opened();
  const whole = new FilteredRunPlay(order(0.5).setting, { pets: serviceFilter(order(0.5).thresholds) });
  for (let index = 0; index < 300; index++) {
    const cat = index % 37 < 3 ? 0.9 : 0.2;
    const frame = footageFrame(index, [['cat', cat]]);
    whole.add(frame, { pets: frame });
    live.take(frameAt(index * 100, cat));
  }
  const { counts, asked, waiting, kept } = whole.end(29_899);
  expect(live.now).toMatchObject({ counts, asked, waiting });
  expect(live.images[0]!.kept.image.index).toBe(kept.at(-1)!.image.timeMs);
  expect(counts.captures.cooldown).toBeGreaterThan(0);
});

it('holds the last twelve images, each once, with its picture', async () => {
  const { live, copied } = opened(
    order(0.5, { setting: { rule: rule(0, { acceptors: [], cooldownMs: 0 }), captureHz: 4 } }),
  );
  play(live, 0, 9000);
  expect(live.images).toHaveLength(12);
  expect(new Set(live.images.map(({ kept }) => kept.image)).size).toBe(12);
  expect(await Promise.all(live.images.map(({ picture }) => picture))).not.toContain('');
  expect(copied.length).toBeGreaterThan(12);
});

it('begins again where the setting, the source or the model changes, and only there', () => {
  const { live } = opened();
  play(live, 0, 3000, 0);
  expect([live.since, live.now!.asked]).toEqual(['opened', 3]);
  live.follow(order(0.5));
  expect(live.now!.asked).toBe(3);
  live.follow(order(0.6));
  expect([live.since, live.now, live.images]).toEqual(['setting', null, []]);
  play(live, 3000, 3500, 0);
  expect(live.now).toMatchObject({ asked: 1, durationMs: 500 });
  live.follow(order(0.6, { source: 'other.mp4' }));
  expect([live.since, live.now]).toEqual(['source', null]);
  live.take(frameAt(0, 0));
  live.take(frameAt(400, 0, { madeBy: 'other plan' }));
  expect([live.since, live.now!.durationMs]).toEqual(['results', 0]);
});

it('takes a line that was dragged at once', () => {
  const { live } = opened(order(0.95));
  play(live, 0, 900, 0);
  expect(live.now!.counts.captures).toMatchObject({ triggered: 0, 'held-back': 1 });
  live.follow(order(0.85));
  play(live, 1000, 1900, 0);
  expect(live.now!.counts.captures).toMatchObject({ triggered: 1, 'held-back': 0 });
});

it("applies the service's own thresholds first", () => {
  const { live } = opened(order(0.5, { thresholds: { defaultMinimumConfidence: 0.95, labelConfidences: {} } }));
  play(live, 0, 3000, 0);
  expect(live.now!.counts.captures.triggered).toBe(0);
});

it('does not count what was not seen, and starts the camera again behind it', () => {
  const { live } = opened();
  play(live, 0, 1300, 1200);
  expect(live.now).toMatchObject({ asked: 2, phase: { kind: 'window' } });
  live.take(frameAt(60_000, 0, { takenAtMs: 1_001_400 }));
  expect(live.break).toEqual({ kind: 'jump', fromMs: 1300, toMs: 60_000 });
  expect(live.now).toMatchObject({ asked: 2, durationMs: 1300, phase: { kind: 'waiting' } });
  for (let ms = 100; ms <= 300; ms += 100) live.take(frameAt(60_000 + ms, 0, { takenAtMs: 1_001_400 + ms }));
  expect(live.now).toMatchObject({ asked: 3, durationMs: 1600 });
});

it('counts on after a loop, and lets no time pass in a pause', () => {
  const { live } = opened();
  play(live, 0, 1000);
  for (const timeMs of [0, 100, 200]) live.take(frameAt(timeMs, 0, { takenAtMs: 1_001_100 + timeMs }));
  expect([live.break?.kind, live.now!.durationMs]).toEqual(['back', 1200]);
  live.take(frameAt(240, 0, { takenAtMs: 1_900_000 }));
  expect([live.now!.durationMs, live.break?.kind]).toEqual([1240, 'back']);
});

it('times frames by the page where the source has no time of its own', () => {
  const { live } = opened();
  const taken = (timeMs: number) => ({ ...frameAt(0, 0, { takenAtMs: 5000 + timeMs }), isTimedByPage: true });
  for (const timeMs of [0, 500, 1000]) live.take(taken(timeMs));
  expect(live.now).toMatchObject({ asked: 1, durationMs: 1000 });
});

it('tells when the next frame is late, not in a pause, and not of a slow model', () => {
  const { live } = opened();
  live.take(frameAt(0, 0));
  vi.advanceTimersByTime(2999);
  expect(live.isSilent).toBe(false);
  vi.advanceTimersByTime(1);
  expect(live.isSilent).toBe(true);
  live.take(frameAt(100, 0, { isStreaming: false }));
  vi.advanceTimersByTime(9000);
  expect(live.isSilent).toBe(false);
  live.take(frameAt(200, 0, { ranMs: 2000 }));
  vi.advanceTimersByTime(5999);
  expect(live.isSilent).toBe(false);
});

it('takes no result of a plan that is not known, and none after its end', () => {
  const { live } = opened();
  live.take(frameAt(0, 0, { madeBy: undefined }));
  expect(live.now).toBeNull();
  live.take(frameAt(0, 0));
  live.end();
  live.take(frameAt(500, 0));
  vi.advanceTimersByTime(9000);
  expect([live.now!.durationMs, live.isSilent]).toEqual([0, false]);
});

it('asks the service that runs beside, on frames on which it ran', () => {
  const inhibitor = { vision: 'people', inhibit: true, classifications: {}, objects: { dog: 0.5 } };
  const beside = { service: 'people', modelId: 'm', thresholds: { defaultMinimumConfidence: 0, labelConfidences: {} } };
  const setting = { rule: rule(0.5, { inhibitors: [inhibitor] }), captureHz: 1 };
  const { live } = opened(order(0.5, { beside, setting }));
  const withDog = (timeMs: number, modelId: string, dog: number): LiveFrame => {
    const { result, ...frame } = frameAt(timeMs, 0.9);
    const { detections } = footageFrame(0, [['dog', dog]]);
    const said = { visionName: 'people', modelId, stages: [], detections, classifications: null, problems: [] };
    return { ...frame, result: { ...result, beside: said } };
  };
  live.take(frameAt(0, 0.9));
  live.take(withDog(0, 'another', 0));
  expect(live.now).toBeNull();
  for (let timeMs = 0; timeMs <= 1400; timeMs += 100) live.take(withDog(timeMs, 'm', timeMs < 1000 ? 0.9 : 0.1));
  expect(live.now!.counts).toMatchObject({
    images: { inhibited: 1, accepted: 1 },
    lines: [
      { vision: 'people', images: 1 },
      { vision: 'pets', images: 1 },
    ],
  });
});
