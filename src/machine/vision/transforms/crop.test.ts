import { describe, expect, it } from 'vitest';
import type { CropAttributes } from '../../config/parse/transform-steps.ts';
import type { Frame } from '../frame/frame.ts';
import { patternFrame } from '../frame/pattern-frame.ts';
import { crop, cropWindow } from './crop.ts';

const attributes = (xMin: number, yMin: number, xMax: number, yMax: number): CropAttributes => ({
  xMin,
  yMin,
  xMax,
  yMax,
  overlayCropBox: false,
});

/** 4×3; the red of each pixel is its column, the green its row. */
const positions: Frame = {
  format: 'rgba8',
  widthPx: 4,
  heightPx: 3,
  samples: Uint8ClampedArray.from({ length: 48 }, (_, i) => [(i >> 2) % 4, i >> 4, 0, 255][i % 4]!),
};

const topLeftOf = (frame: Frame) => [frame.samples[0], frame.samples[1]];

describe('cropWindow of a 100×50 frame', () => {
  it.each([
    ['pixels', [10, 5, 20, 30], [10, 5, 20, 30]],
    ['pixels, truncated', [10.9, 5.9, 20.9, 30.9], [10, 5, 20, 30]],
    ['pixels because x_max is above 1', [0.5, 0.5, 2, 1], [0, 0, 2, 1]],
    ['pixels because y_max is above 1', [0, 0.2, 1, 40], [0, 0, 1, 40]],
    ['pixels beyond the frame', [90, 40, 300, 200], [90, 40, 300, 200]],
    ['fractions', [0.25, 0.5, 0.75, 1], [25, 25, 75, 50]],
    ['fractions, truncated', [0.119, 0.119, 0.999, 0.999], [11, 5, 99, 49]],
    ['fractions from 0 to just below 1', [0, 0, 1, 0.999], [0, 0, 100, 49]],
    ['not quite 0, 0, 1, 1, by its left', [0.1, 0, 1, 1], [10, 0, 100, 50]],
    ['not quite 0, 0, 1, 1, by its top', [0, 0.1, 1, 1], [0, 5, 100, 50]],
    ['not quite 0, 0, 1, 1, by its right', [0, 0, 0.9, 1], [0, 0, 90, 50]],
    ['exactly 0, 0, 1, 1: one pixel', [0, 0, 1, 1], [0, 0, 1, 1]],
  ] as const)('reads %s', (_, [a, b, c, d], [xMin, yMin, xMax, yMax]) => {
    expect(cropWindow(attributes(a, b, c, d), 100, 50)).toEqual({ xMin, yMin, xMax, yMax });
  });
});

describe('crop', () => {
  it.each([
    ['inside', attributes(1, 1, 3, 3), [2, 2], [1, 1]],
    ['cut off at the edges', attributes(2, 1, 40, 40), [2, 2], [2, 1]],
    ['the last pixel', attributes(3, 2, 4, 3), [1, 1], [3, 2]],
    ['a fraction', attributes(0.5, 0, 1, 0.7), [2, 2], [2, 0]],
    ['0, 0, 1, 1', attributes(0, 0, 1, 1), [1, 1], [0, 0]],
  ] as const)('keeps the pixels of the window: %s', (_, given, [widthPx, heightPx], topLeft) => {
    const cropped = crop(positions, given);
    expect(cropped).toMatchObject({ widthPx, heightPx });
    expect(cropped.samples).toHaveLength(4 * widthPx * heightPx);
    expect(topLeftOf(cropped)).toEqual(topLeft);
    expect([...cropped.samples.slice(-4, -2)]).toEqual([topLeft[0] + widthPx - 1, topLeft[1] + heightPx - 1]);
  });

  it.each([
    ['negative-window', attributes(-0.1, 0, 1, 1)],
    ['negative-window', attributes(0, -5, 10, 0)], // before the height is looked at
    ['zero-width', attributes(2, 0, 2, 2)],
    ['zero-width', attributes(3, 2, 2, 1)], // before the height is looked at
    ['zero-height', attributes(0, 2, 2, 2)],
    ['zero-width', attributes(0, 0, 0, 0)], // no attribute given
    ['empty-window', attributes(4, 0, 9, 3)],
    ['empty-window', attributes(0, 3, 4, 9)],
    ['empty-window', attributes(0.1, 0.1, 0.2, 0.9)], // less than one column
    ['empty-window', attributes(1.2, 0, 1.8, 3)], // truncated to no column
  ] as const)('fails with %s', (code, given) => {
    expect(() => crop(positions, given)).toThrow(expect.objectContaining({ name: 'TransformError', code }));
  });

  it('converts JPEG planes and 16-bit samples as the machine does', () => {
    const ycbcr = crop(patternFrame('ycbcr8', 3, 2), attributes(0, 0, 2, 1));
    expect(ycbcr.format).toBe('rgba8');
    expect([...ycbcr.samples]).toEqual([22, 19, 98, 255, 66, 0, 91, 255]);
    const deep = patternFrame('rgba16', 3, 2, 'varied');
    expect([...crop(deep, attributes(0, 0, 1, 2)).samples]).toEqual(
      [0, 1, 2, 3, 12, 13, 14, 15].map((i) => deep.samples[i]! >> 8),
    );
  });

  it.each([
    ['the first column beyond', attributes(4, 0, 5, 3), 'x 4–5, y 0–3 of a 4×3 frame'],
    ['the first row beyond', attributes(0, 3, 4, 4), 'x 0–4, y 3–4 of a 4×3 frame'],
    ['less than a row', attributes(0.1, 0.1, 0.9, 0.2), 'x 0–3, y 0–0 of a 4×3 frame'],
  ])('says what was cropped of %s', (_, given, words) => {
    expect(() => crop(positions, given)).toThrow(`Cropped to 0 pixels: ${words}.`);
  });

  it.each([
    [attributes(0, -0.5, 1, 1), 'Crop starts at x 0, y -0.5; neither may be negative.'],
    [attributes(2, 0, 2, 3), 'Crop to 0 width: x_min_px 2 is not below x_max_px 2.'],
    [attributes(0, 3, 2, 3), 'Crop to 0 height: y_min_px 3 is not below y_max_px 3.'],
  ])('says which attribute is wrong', (given, message) => {
    expect(() => crop(positions, given)).toThrow(message);
  });

  it('keeps 16-bit depth frames depth, and other frames no depth', () => {
    const depth: Frame = { format: 'rgba16', widthPx: 4, heightPx: 3, samples: new Uint16Array(48), isDepth: true };
    expect(crop(depth, attributes(0, 0, 2, 2))).toMatchObject({ isDepth: true, widthPx: 2 });
    expect(crop(positions, attributes(0, 0, 2, 2))).not.toHaveProperty('isDepth');
  });

  it('keeps alpha', () => {
    const frame = patternFrame('rgba8', 2, 2, 'varied');
    expect([...crop(frame, attributes(1, 1, 2, 2)).samples]).toEqual([...frame.samples.slice(12)]);
  });
});
