import { describe, expect, it } from 'vitest';
import {
  backgroundIntervalMs,
  FilterPlay,
  type FilterAsking,
  type FilterMoment,
  type TimedFrame,
} from './filter-play.ts';
import type { FilterRule } from './filter-rule.ts';

const rule: FilterRule = {
  camera: 'cam',
  inhibitors: [],
  acceptors: [{ vision: 'eyes', inhibit: false, classifications: {}, objects: { dog: 0.5 } }],
  beforeMs: 2000,
  afterMs: 1000,
  cooldownMs: 0,
  imageFrequencyHz: 1,
  ringSize: 9,
};
/** Ten frames a second; a dog on those that are named. */
const frames = (count: number, ...dogs: readonly number[]) =>
  Array.from({ length: count }, (_, image) => ({
    image,
    timeMs: 10_000 + 100 * image,
    seen: () => ({
      eyes: { classifications: null, detections: dogs.includes(image) ? [{ label: 'dog', score: 0.9 }] : [] },
    }),
  }));
function played(given: FilterRule, all: readonly TimedFrame<number>[], asking: FilterAsking) {
  const moments: FilterMoment<number>[] = [];
  const play = new FilterPlay<number>(given, asking, (moment) => moments.push(moment));
  for (const frame of all) play.add(frame);
  play.end(all.at(-1)?.timeMs ?? 0);
  return { moments, state: play.state, waiting: play.waiting };
}
const run = (asking: FilterAsking, given: Partial<FilterRule> = {}, dogs: readonly number[] = [], count = 31) =>
  played({ ...rule, ...given }, frames(count, ...dogs), asking).moments;

describe('FilterPlay', () => {
  it('asks by both clocks, which are half an interval apart', () => {
    const moments = run({ captureHz: 1 });
    expect(moments.map(({ kind, timeMs, image }) => [kind[0], timeMs, image])).toEqual([
      ['c', 10_500, 5],
      ['b', 11_000, 10],
      ['c', 11_500, 15],
      ['b', 12_000, 20],
      ['c', 12_500, 25],
      ['b', 13_000, 30],
    ]);
  });

  it('takes the newest frame of each moment', () => {
    const images = run({ captureHz: 1000 / 333, firstCaptureMs: 99 }, { imageFrequencyHz: 0.001 }).map(
      ({ image }) => image,
    );
    expect(images).toEqual([0, 4, 7, 10, 14, 17, 20, 24, 27]);
  });

  it('begins as early as the faster clock asks', () => {
    expect(run({ captureHz: 0.5 })[0]!.timeMs).toBe(10_500);
    expect(run({ captureHz: 4 })[0]!.timeMs).toBe(10_125);
    expect(run({ captureHz: 0.5 }, { imageFrequencyHz: 5 })[0]).toMatchObject({ kind: 'capture', timeMs: 10_100 });
  });

  it('lets the background worker go first at the same moment', () => {
    expect(
      run({ captureHz: 1, firstCaptureMs: 1000 })
        .map(({ kind }) => kind[0])
        .join(''),
    ).toBe('bcbcbc');
  });

  it('keeps what the filter keeps, and says what still waits', () => {
    const { moments, state, waiting } = played(rule, frames(31, 25), { captureHz: 1 });
    const kept = moments.flatMap(({ outcome }) => outcome.kept);
    expect(kept.map(({ image, role }) => [image, role])).toEqual([
      [10, 'before'],
      [20, 'before'],
      [25, 'trigger'],
    ]);
    expect(state.toSend.flatMap(({ images }) => images.map(({ image }) => image))).toEqual([30]);
    expect(waiting).toBe(1);
  });

  it('asks what is seen only where the data manager asks', () => {
    const asked: number[] = [];
    const watched = frames(31).map((frame) => ({ ...frame, seen: () => (asked.push(frame.image), frame.seen()) }));
    played(rule, watched, { captureHz: 1 });
    expect(asked).toEqual([5, 15, 25]);
  });

  it('goes on with the last frame to the end', () => {
    const moments: number[] = [];
    const play = new FilterPlay<number>(rule, { captureHz: 1 }, ({ timeMs }) => moments.push(timeMs));
    play.add({ image: 0, timeMs: 0, seen: () => ({}) });
    play.end(1500);
    play.end(2000);
    expect(moments).toEqual([500, 1000, 1500, 2000]);
  });

  it('has nothing to do without frames', () => {
    expect(run({ captureHz: 1 }, {}, [], 0)).toEqual([]);
  });

  it.each([0, -1, NaN])('refuses to ask %s times a second', (captureHz) => {
    expect(() => run({ captureHz })).toThrow(RangeError);
  });
});

it.each([
  [1, 1000],
  [3, 333],
  [1000, 1],
  [1001, Infinity],
])('takes an image %s times a second by a timer of %s ms', (imageFrequencyHz, intervalMs) => {
  expect(backgroundIntervalMs({ imageFrequencyHz })).toBe(intervalMs);
});
