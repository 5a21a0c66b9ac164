import { describe, expect, it } from 'vitest';
import type { Frame } from '../frame/frame.ts';
import { patternFrame } from '../frame/pattern-frame.ts';
import { stretch } from './stretch.ts';

describe('stretch', () => {
  // Computed by nfnt/resize (Bilinear, Go) from the same pattern; packed R, G, B.
  // prettier-ignore
  const golden: [string, Frame, number, number, number[]][] = [
    ['shrinks both axes', patternFrame('rgba8', 5, 4), 2, 3,
      [84, 128, 132, 140, 139, 129, 120, 76, 90, 128, 82, 125, 59, 143, 124, 155, 72, 136]],
    ['enlarges both axes', patternFrame('rgba8', 3, 2), 4, 3,
      [29, 167, 123, 11, 174, 155, 50, 147, 158, 133, 95, 131, 99, 169, 185, 71, 166, 127, 98, 127, 118, 171, 65, 161,
        169, 171, 247, 131, 158, 99, 146, 107, 78, 209, 35, 191]],
    ['enlarges a single pixel', patternFrame('rgba8', 1, 1), 2, 2, [29, 167, 123, 29, 167, 123, 29, 167, 123, 29, 167, 123]],
    ['shrinks to a single pixel', patternFrame('rgba8', 4, 3), 1, 1, [119, 117, 117]],
    ['changes the height alone', patternFrame('rgba8', 4, 3), 4, 2,
      [55, 161, 85, 70, 130, 180, 159, 89, 93, 152, 122, 166, 162, 140, 106, 177, 109, 201, 95, 68, 114, 89, 101, 17]],
    ['changes the width alone', patternFrame('rgba8', 4, 3), 3, 3,
      [21, 170, 137, 67, 137, 153, 159, 150, 215, 136, 119, 59, 211, 57, 105, 146, 41, 10, 181, 138, 169, 99, 105, 185,
        63, 118, 61]],
    ['shrinks 3.7 times', patternFrame('rgba8', 37, 2), 10, 1,
      [93, 144, 121, 154, 95, 95, 166, 134, 130, 104, 147, 107, 103, 132, 159, 127, 139, 139, 134, 129, 164, 111, 131,
        142, 140, 130, 115, 141, 88, 108]],
    ['premultiplies alpha before it filters', patternFrame('rgba8', 4, 3, 'varied'), 3, 2,
      [40, 109, 78, 68, 91, 117, 76, 63, 88, 131, 102, 98, 48, 27, 60, 42, 68, 19]],
    ['premultiplies at 16 bits when nothing is filtered', patternFrame('rgba8', 3, 2, 'varied'), 3, 2,
      [17, 100, 74, 0, 172, 168, 126, 90, 124, 93, 94, 137, 86, 119, 8, 135, 22, 124]],
    ['premultiplies at 8 bits when one axis is filtered', patternFrame('rgba8', 3, 2, 'varied'), 3, 3,
      [17, 100, 73, 0, 171, 168, 125, 89, 123, 55, 97, 104, 42, 145, 88, 130, 55, 123, 93, 94, 136, 85, 119, 8, 135, 22,
        123]],
    ['filters JPEG planes before it converts them', patternFrame('ycbcr8', 4, 3), 3, 2,
      [33, 63, 101, 126, 115, 83, 179, 146, 128, 171, 161, 170, 178, 128, 65, 0, 163, 26]],
    ['converts JPEG planes of the right size', patternFrame('ycbcr8', 3, 2), 3, 2,
      [22, 19, 98, 66, 0, 91, 137, 142, 75, 255, 69, 245, 0, 185, 150, 255, 196, 45]],
    ['filters 16-bit samples at 16 bits', patternFrame('rgba16', 4, 3, 'varied'), 3, 2,
      [18, 80, 141, 64, 52, 113, 31, 21, 43, 56, 48, 46, 84, 50, 63, 26, 38, 39]],
    ['cuts 16-bit samples of the right size to their high byte', patternFrame('rgba16', 3, 2, 'varied'), 3, 2,
      [0, 139, 193, 54, 54, 198, 72, 2, 95, 12, 2, 8, 10, 9, 20, 63, 3, 73]],
  ];
  it.each(golden)('%s', (_, frame, widthPx, heightPx, rgb) => {
    expect([...stretch(frame, widthPx, heightPx)]).toEqual(rgb);
  });

  it.each([
    [1, 1],
    [3, 7],
    [17, 5],
    [64, 64],
  ])('keeps a plain gray frame plain at %i×%i', (widthPx, heightPx) => {
    const gray: Frame = {
      format: 'rgba8',
      widthPx: 13,
      heightPx: 11,
      samples: new Uint8ClampedArray(4 * 13 * 11).map((_, i) => (i % 4 === 3 ? 255 : 201)),
    };
    expect(new Set(stretch(gray, widthPx, heightPx))).toEqual(new Set([201]));
  });

  it('leaves the frame that it was given alone', () => {
    const frame = patternFrame('ycbcr8', 3, 2);
    stretch(frame, 3, 2);
    expect(frame).toEqual(patternFrame('ycbcr8', 3, 2));
  });
});
