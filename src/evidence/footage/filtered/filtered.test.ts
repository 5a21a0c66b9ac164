import { describe, expect, it } from 'vitest';
import { classifiedFrame, failedFrame, footageFrame } from '../../../../tests/footage-frames.ts';
import type { FilterRule } from '../../../machine/vision/filtered-camera/filter-rule.ts';
import { serviceFilter } from '../../../machine/vision/filter/service-filter.ts';
import type { FootageFrame } from '../footage-frame.ts';
import { FilteredRunPlay } from './filtered-run.ts';
import { lostEvents, seenEvents } from './seen-events.ts';

const cat = { vision: 'pets', inhibit: false, classifications: {}, objects: { cat: 0.5 } };
const rule: FilterRule = {
  camera: 'cam',
  inhibitors: [],
  acceptors: [cat],
  beforeMs: 1000,
  afterMs: 1000,
  cooldownMs: 0,
  imageFrequencyHz: 2,
  ringSize: 12,
};

/** Ten frames a second with a cat of this score on those that are named. */
const clip = (count: number, cats: Readonly<Record<number, number>>): FootageFrame[] =>
  Array.from({ length: count }, (_, index) => footageFrame(index, cats[index] ? [['cat', cats[index]]] : []));

function play(frames: readonly FootageFrame[], setting: Partial<FilterRule> = {}, lowest = 0) {
  const filter = serviceFilter({ defaultMinimumConfidence: lowest, labelConfidences: {} });
  const player = new FilteredRunPlay({ rule: { ...rule, ...setting }, captureHz: 1 }, { pets: filter });
  for (const frame of frames) player.add(frame, { pets: frame });
  return player.end(frames.length * 100);
}

describe('FilteredRunPlay', () => {
  it('keeps the images of a window around a trigger, each with its part in it', () => {
    // The worker takes an image at 0.5, 1, 1.5 … s; the data manager asks at 0.25, 1.25 … 5.25 s.
    const { asked, kept, counts, waiting } = play(clip(60, { 22: 0.9 }));
    expect(asked).toBe(6);
    expect(kept.map(({ image, role, annotations }) => [image.index, role, annotations.map(({ key }) => key)])).toEqual([
      [15, 'before', []],
      [20, 'before', []],
      [22, 'trigger', ['cat']],
      [25, 'after', []],
      [30, 'after', []],
    ]);
    expect(counts.captures).toEqual({ window: 1, cooldown: 0, triggered: 1, 'held-back': 4, failed: 0 });
    expect(waiting).toBe(0);
  });

  it('says what waits when the footage ends', () => {
    const { kept, waiting } = play(clip(31, { 22: 0.9 }));
    expect([kept.length, waiting]).toEqual([3, 2]);
  });

  it.each<[string, number, number, number]>([
    ['a score that equals the line', 0.5, 0, 0],
    ['a score above it', 0.51, 0, 1],
    ["a score that the service's own threshold drops", 0.8, 0.9, 0],
  ])('%s: %s with a service from %s on triggers %s times', (_, score, lowest, triggered) => {
    expect(play(clip(40, { 22: score }), {}, lowest).counts.captures.triggered).toBe(triggered);
  });

  it('asks for classes, as many as the module', () => {
    const scores = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`class ${at}`, 1 - at / 200]));
    const frames = Array.from({ length: 10 }, (_, index) => classifiedFrame(index, scores));
    const asks = (label: string): Partial<FilterRule> => ({
      acceptors: [{ vision: 'pets', inhibit: false, classifications: { [label]: 0 }, objects: {} }],
    });
    expect(play(frames, asks('class 99')).counts.captures.triggered).toBe(1);
    expect(play(frames, asks('class 100')).counts.captures.triggered).toBe(0);
    expect(play(frames).counts.captures).toMatchObject({ failed: 1 });
  });

  it('fails at a frame that failed, and goes on', () => {
    const frames = clip(60, { 32: 0.9 }).map((frame, index) => (index === 22 ? failedFrame(22) : frame));
    expect(play(frames, { beforeMs: 0 }).counts.captures).toMatchObject({ failed: 1, triggered: 1 });
  });
});

it('asks each service through its own thresholds, and fails where one did not run', () => {
  const filterFrom = (lowest: number) => serviceFilter({ defaultMinimumConfidence: lowest, labelConfidences: {} });
  const setting = { ...rule, inhibitors: [{ ...cat, vision: 'people', inhibit: true, objects: { dog: 0.5 } }] };
  const capturesOf = (lowestDog: number, dogs: boolean) => {
    const player = new FilteredRunPlay(
      { rule: setting, captureHz: 1 },
      { pets: filterFrom(0), people: filterFrom(lowestDog) },
    );
    for (const frame of clip(30, { 2: 0.9, 12: 0.9 })) {
      const dog = footageFrame(frame.index, [['dog', 0.8]]);
      player.add(frame, { pets: frame, ...(dogs && { people: dog }) });
    }
    return player.end(3000).counts.captures;
  };
  expect(capturesOf(0, true)).toMatchObject({ triggered: 0, 'held-back': 3 });
  expect(capturesOf(0.9, true)).toMatchObject({ triggered: 1 });
  expect(capturesOf(0, false)).toMatchObject({ failed: 3 });
});

describe('seenEvents and lostEvents', () => {
  const change = (timeMs: number, label: string, before: number, count: number) => ({
    index: timeMs / 100,
    timeMs,
    name: '',
    before: new Map([[label, before]]),
    counts: new Map([[label, count]]),
  });
  const events = seenEvents(
    [change(0, 'cat', 0, 1), change(300, 'dog', 0, 1), change(500, 'cat', 1, 2), change(900, 'cat', 2, 0)],
    2000,
  );

  it('go from the first of a label to its last', () => {
    expect(events).toEqual([
      { label: 'cat', fromMs: 0, toMs: 900 },
      { label: 'dog', fromMs: 300, toMs: 2000 },
    ]);
  });

  it.each<[number[], string[]]>([
    [[], ['cat', 'dog']],
    [[0], ['dog']],
    [[900], ['cat']],
    [[1999, 299], []],
    [[2000], ['cat', 'dog']],
  ])('with images of %j lose %j', (times, lost) => {
    const kept = times.map((timeMs) => ({
      image: { index: 0, name: '', timeMs },
      timeMs: 0,
      role: 'trigger' as const,
      trigger: 0,
      annotations: [],
    }));
    expect(lostEvents(events, { kept }).map(({ label }) => label)).toEqual(lost);
  });
});
