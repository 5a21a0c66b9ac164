import { describe, expect, it } from 'vitest';
import { gapsIn, mergeGaps, usualGapMs } from './gaps.ts';

const spans = (...pairs: readonly (readonly [number, number])[]) =>
  pairs.map(([startMs, endMs]) => ({ startMs, endMs }));

describe('the gaps of a recording', () => {
  it('are what is longer than the bound, at both ends of the span too', () => {
    const times = Float64Array.of(1100, 1200, 1500, 1601);
    expect(gapsIn(times, { startMs: 1000, endMs: 1701 }, 100)).toEqual(spans([1200, 1500], [1500, 1601]));
    expect(gapsIn(times, { startMs: 999, endMs: 1702 }, 100)).toEqual(
      spans([999, 1100], [1200, 1500], [1500, 1601], [1601, 1702]),
    );
    expect(gapsIn(new Float64Array(0), { startMs: 5, endMs: 206 }, 200)).toEqual(spans([5, 206]));
  });

  it('are merged by the piece of the timeline in which they begin, wherever the span begins, and keep their length together', () => {
    const span = { startMs: 1000, endMs: 1400 }; // pieces begin at 1000, 1100, 1200, 1300
    const gaps = spans([1010, 1015], [1050, 1090], [1100, 1120], [1199, 1210], [1300, 1399]);
    expect(mergeGaps(gaps, span, 5)).toBe(gaps);
    expect(mergeGaps(gaps, span, 4)).toEqual(spans([1010, 1055], [1100, 1131], [1300, 1399]));
  });
});

describe('the usual bound', () => {
  it.each([
    ['without frames', [], 10_000],
    ['of one frame', [7], 10_000],
    ['of a frame a second', [0, 1000, 2000, 3000], 10_000],
    ['of a frame in 1.05 seconds, in whole seconds', [0, 1050, 2100, 3150], 11_000],
    ['of a frame a minute, though there was a pause', [0, 60_000, 120_000, 9_000_000, 9_060_000], 600_000],
  ])('%s', (_, times, bound) => {
    expect(usualGapMs(Float64Array.from(times))).toBe(bound);
  });

  it('is of a sample where there are many frames, from the first interval to the last', () => {
    const times = Float64Array.from({ length: 30_001 }, (_, at) => 2000 * at);
    expect(usualGapMs(times)).toBe(20_000);
  });
});
