import { describe, expect, it } from 'vitest';
import { patternFrame } from '../../../../machine/vision/frame/pattern-frame.ts';
import { lookAtColors } from '../../../../machine/vision/color-detector/look-at-colors.ts';
import { areaOfShare, SeenColors, shareOfArea } from './seen-colors.ts';

const rule = { hueDeg: 0, tolerance: 0.1, saturationCutoff: 0.05, valueCutoff: 0.05, minAreaPx: 1, label: 'red' };
const colors = lookAtColors(patternFrame('rgba8', 12, 9), { rule, patch: null }).colors!;
const sum = (bins: Uint32Array): number => bins.reduce((total, count) => total + count, 0);

describe('the colours seen', () => {
  it('count each frame once, and all of its pixels', () => {
    const seen = new SeenColors();
    seen.add('a', rule, colors);
    seen.add('a', rule, colors);
    expect([seen.frameCount, sum(seen.saturation), sum(seen.value)]).toEqual([1, 108, 108]);
    seen.add('b', rule, colors);
    expect([seen.frameCount, sum(seen.saturation)]).toEqual([2, 216]);
    expect(sum(seen.hueFrom(0))).toBe(2 * sum(colors.hue));
    expect(sum(seen.areas(108))).toBe(2 * colors.areas.length);
  });

  it('count hues anew where a cut-off changes, and groups where a hue passes that did not', () => {
    const seen = new SeenColors();
    for (const frame of ['a', 'b']) seen.add(frame, rule, colors);
    seen.add('b', { ...rule, tolerance: 0.2 }, colors);
    expect([sum(seen.value), sum(seen.hueFrom(0)), sum(seen.areas(108))]).toEqual([
      216,
      2 * sum(colors.hue),
      colors.areas.length,
    ]);
    seen.add('b', { ...rule, valueCutoff: 0.1 }, colors);
    expect([seen.frameCount, sum(seen.value), sum(seen.hueFrom(0))]).toEqual([2, 216, sum(colors.hue)]);
  });

  it('place a hue by the tolerance from which it passes, also through 0°', () => {
    const seen = new SeenColors();
    const hue = new Uint32Array(360);
    [hue[5], hue[350], hue[175]] = [1, 10, 100];
    seen.add('a', rule, { ...colors, hue });
    const bins = seen.hueFrom(0);
    expect([bins[1], bins[3], bins[58]]).toEqual([1, 10, 100]);
  });
});

describe('the scale of areas', () => {
  it('goes from one pixel to the frame, and back', () => {
    expect([shareOfArea(0, 10_000), shareOfArea(100, 10_000), shareOfArea(99_999, 10_000)]).toEqual([0, 0.5, 1]);
    expect([areaOfShare(0, 10_000), areaOfShare(0.5, 10_000), areaOfShare(1, 10_000)]).toEqual([1, 100, 10_000]);
    expect(areaOfShare(0.8, 1_000_000)).toBe(63_000);
  });
});
