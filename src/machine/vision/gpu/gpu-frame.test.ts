import { describe, expect, it } from 'vitest';
import { pixelsOf, toGpu, withStep } from './gpu-frame.ts';
import { patternFrame } from '../frame/pattern-frame.ts';
import { applyPixelStep, type PixelStep } from '../transforms/pixel-step.ts';

const source = patternFrame('ycbcr8', 21, 11);
const crop: PixelStep = {
  type: 'crop',
  attributes: { xMin: 0.1, yMin: 0, xMax: 0.9, yMax: 0.9, overlayCropBox: false },
};

describe('a frame for the GPU', () => {
  it.each<PixelStep>([
    { type: '' },
    crop,
    { type: 'resize', attributes: { widthPx: 5, heightPx: 40 } },
    ...[0, 90, -90, 180, 17, 340.5].map((angleDegs): PixelStep => ({ type: 'rotate', attributes: { angleDegs } })),
  ])('knows its size after $type $attributes, and its pixels when asked', (step) => {
    const frame = withStep(toGpu(source), step);
    const expected = applyPixelStep(source, step);
    expect([frame.widthPx, frame.heightPx]).toEqual([expected.widthPx, expected.heightPx]);
    expect(pixelsOf(frame)).toEqual(expected);
  });

  it('does its steps in their order, once', () => {
    const turned = withStep(withStep(toGpu(source), crop), { type: 'rotate', attributes: { angleDegs: 90 } });
    expect([turned.widthPx, turned.heightPx]).toEqual([9, 16]);
    expect(pixelsOf(turned)).toBe(pixelsOf(turned));
  });

  it.each<[PixelStep, string]>([
    [{ type: 'crop', attributes: { ...crop.attributes, xMin: 50, xMax: 60 } }, 'empty-window'],
    [{ type: 'resize', attributes: { widthPx: 0, heightPx: 2 } }, 'zero-size'],
  ])('refuses what the step refuses', (step, code) => {
    expect(() => withStep(toGpu(source), step)).toThrow(expect.objectContaining({ code }) as Error);
  });

  it('is itself for the GPU, and pixels are theirs', () => {
    const frame = toGpu(source);
    expect(toGpu(frame)).toBe(frame);
    expect(pixelsOf(frame)).toBe(source);
    expect(() => toGpu(patternFrame('rgba16', 2, 2))).toThrow(RangeError);
  });
});
