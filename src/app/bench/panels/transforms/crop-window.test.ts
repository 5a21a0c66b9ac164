import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRelative } from '../../../../machine/config/parse/transform-steps.ts';
import { onFrame } from '../../../kit/picture/pixel-window.ts';
import { edgesOf, windowOf } from './crop-window.ts';

const size = { widthPx: 640, heightPx: 480 };
const edges = (x_min_px: number, y_min_px: number, x_max_px: number, y_max_px: number) => ({
  x_min_px,
  y_min_px,
  x_max_px,
  y_max_px,
});

describe('windowOf', () => {
  it.each([
    ['pixels', edges(10, 20.9, 300, 200), [10, 20, 300, 200]],
    ['fractions', edges(0.1, 0.25, 0.5, 1), [64, 120, 320, 480]],
    ['one maximum above 1 makes all of them pixels', edges(0, 0, 0.5, 2), [0, 0, 0, 2]],
  ])('reads %s', (_, attributes, expected) => {
    expect(Object.values(windowOf(attributes, size))).toEqual(expected);
  });
});

describe('edgesOf', () => {
  it('writes short fractions', () => {
    expect(edgesOf({ xMin: 64, yMin: 120, xMax: 320, yMax: 480 }, true, size)).toEqual(edges(0.1, 0.25, 0.5, 1));
  });

  it.each([100, 200, 400, 640])('gives back each pixel of %s by a fraction', (widthPx) => {
    const size = { widthPx, heightPx: 480 };
    const lost = Array.from({ length: widthPx - 1 }, (_, xMin) => xMin).filter((xMin) => {
      const window = { xMin, yMin: 0, xMax: widthPx, yMax: 480 };
      return windowOf(edgesOf(window, true, size), size).xMin !== xMin;
    });
    expect(lost).toEqual([]);
  });

  it('cuts the same window whichever way it is written', () => {
    const frame = fc.record({
      widthPx: fc.integer({ min: 3, max: 8000 }),
      heightPx: fc.integer({ min: 3, max: 8000 }),
    });
    fc.assert(
      fc.property(frame, fc.tuple(fc.nat(), fc.nat(), fc.nat(), fc.nat()), fc.boolean(), (size, corners, relative) => {
        const [a, b, c, d] = corners;
        const asked = {
          xMin: a % size.widthPx,
          yMin: b % size.heightPx,
          xMax: c % size.widthPx,
          yMax: d % size.heightPx,
        };
        const wanted = onFrame({ ...asked, xMax: Math.max(2, asked.xMax) }, size);
        const written = edgesOf(wanted, relative, size);
        expect(windowOf(written, size)).toEqual(wanted);
        expect(isRelative(written)).toBe(relative);
      }),
      { seed: 7 },
    );
  });
});
