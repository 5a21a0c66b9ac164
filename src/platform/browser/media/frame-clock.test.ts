import { describe, expect, it } from 'vitest';
import type { ShownFrames } from '../../../base/mp4/shown-frames.ts';
import { FrameClock } from './frame-clock.ts';

/** Frames at these times, in ms. */
function tableOf(timesMs: readonly number[], durationMs: number): ShownFrames {
  return {
    count: timesMs.length,
    timeUs: Float64Array.from(timesMs, (ms) => ms * 1000),
    sample: Uint32Array.from(timesMs, (_, at) => at),
    durationUs: durationMs * 1000,
  };
}

const uneven = tableOf([0, 40, 120, 133], 200);

// What each engine was seen to state: on loading, after a seek to 125 ms, while the third frame played.
const engines = [
  ['Chromium', 0, 0.12, 0.12],
  ['Chromium, which presents nothing where the frame stays the same', 0, null, 0.12],
  ['Firefox', 0, 0.125, 0.12],
] as const;

describe.each([...engines, ['WebKitGTK, with an edit list from 160 ms', 0.16, 0.285, 0.28] as const])(
  'in %s',
  (_, loadedS, soughtS, playedS) => {
    it('an MP4 file’s frames have the times of its table', () => {
      const clock = new FrameClock(uneven, 0.2);
      clock.loaded(loadedS);
      expect(clock.knowsFrames).toBe(true);
      expect([clock.sought(0.125, soughtS), clock.played(playedS)]).toEqual([0.12, 0.12]);
      expect(clock.index(0.12)).toBe(2);
      if (soughtS !== null) expect(clock.isSought(0.125, soughtS)).toBe(true);
    });
  },
);

it.each(engines)(
  'in %s, the frames of another file have those of the gaps between them',
  (_, loadedS, soughtS, playedS) => {
    const clock = new FrameClock(null, 2);
    clock.loaded(loadedS);
    expect(clock.knowsFrames).toBe(false);
    for (const gapS of [0.08, 0.04, 0.08]) clock.sawGap(gapS);
    expect(clock.knowsFrames).toBe(true);
    for (const timeS of [clock.sought(0.125, soughtS), clock.played(playedS)]) {
      expect(timeS).toBeCloseTo(0.12, 9);
      expect(clock.index(timeS)).toBe(3);
    }
  },
);

it('takes a frame that was still under way for none that was sought', () => {
  const clock = new FrameClock(uneven, 0.2);
  expect([0, 0.04, 0.12, 0.125, 0.133].map((stampS) => clock.isSought(0.125, stampS))).toEqual([
    false,
    false,
    true,
    true,
    false,
  ]);
  expect(new FrameClock(null, 2).isSought(0.125, 0.04)).toBe(true); // nothing is known yet
});

it('steps to within frames of any length, and not beyond the first and the last', () => {
  const clock = new FrameClock(uneven, 0.2);
  const steps = [1, 2, 3, 9, -1].map((frames) => clock.stepS(0, frames).toFixed(4));
  expect(steps).toEqual(['0.0465', '0.1265', '0.1395', '0.1395', '0.0065']);
  expect(clock.stepS(0.133, -1)).toBeCloseTo(0.1265, 9);
  expect(new FrameClock(tableOf([0, 100, 200], 300), 0.3).stepS(0, 1)).toBeCloseTo(0.15, 9);
});

// Seen in WebKitGTK: of frames ten a second, of which one lasts 300 ms, a seek behind its first 100 ms shows the next.
it('seeks for a long frame within the time that is usual for one, and takes what was shown instead for what it is', () => {
  const clock = new FrameClock(tableOf([0, 100, 400, 500], 600), 0.6);
  expect([0.03, 0.29, 0.31, 0.55].map((timeS) => clock.seekS(timeS).toFixed(2))).toEqual([
    '0.03',
    '0.15',
    '0.15',
    '0.55',
  ]);
  expect(clock.index(clock.sought(0.31, 0.4))).toBe(2);
});

it('takes a time just before a frame, as players round it, for that frame', () => {
  const clock = new FrameClock(tableOf([0, 33.333, 66.667], 100), 0.1);
  expect([clock.played(0.033333), clock.played(0.0666)].map((s) => clock.index(s))).toEqual([1, 2]);
});

it('guesses frames of 1/30 s until it has seen a gap', () => {
  const clock = new FrameClock(null, 2);
  expect([clock.index(0.5), clock.stepS(0, 1).toFixed(3)]).toEqual([15, '0.050']);
});

it('shows the last frame at the end', () => {
  const clock = new FrameClock(null, 2);
  clock.sawGap(0.1);
  expect([1.9, 1.95, 2].map((timeS) => clock.index(clock.sought(timeS, null)))).toEqual([19, 19, 19]);
  expect(new FrameClock(uneven, 0.2).sought(0.2, null)).toBe(0.133);
});
