import { describe, expect, it } from 'vitest';
import type { Frame } from '../frame/frame.ts';
import { patternFrame } from '../frame/pattern-frame.ts';
import { rotatedSize } from './rotate-freely.ts';
import { rotate } from './rotate.ts';

/** 3×2 with the pixels 1 2 3 / 4 5 6. */
const six: Frame = {
  format: 'rgba8',
  widthPx: 3,
  heightPx: 2,
  samples: Uint8ClampedArray.from({ length: 24 }, (_, i) => (i % 4 === 3 ? 255 : (i >> 2) + 1)),
};
const rows = (frame: Frame) =>
  Array.from({ length: frame.heightPx }, (_, y) =>
    Array.from({ length: frame.widthPx }, (_, x) => frame.samples[4 * (y * frame.widthPx + x)]),
  );

describe('rotate by right angles, clockwise', () => {
  const quarter = [
    [4, 1],
    [5, 2],
    [6, 3],
  ];
  const half = [
    [6, 5, 4],
    [3, 2, 1],
  ];
  const threeQuarters = [
    [3, 6],
    [2, 5],
    [1, 4],
  ];
  const none = [
    [1, 2, 3],
    [4, 5, 6],
  ];
  it.each([
    [0, none],
    [90, quarter],
    [180, half],
    [270, threeQuarters],
    [360, none],
    [-90, threeQuarters],
    [-180, half],
    [450, quarter],
    [-630, quarter],
  ])('%i°', (angleDegs, expected) => {
    expect(rows(rotate(six, { angleDegs }))).toEqual(expected);
  });

  it.each([
    [0, [1, 2]],
    [90, [1, 2]],
    [180, [2, 1]],
    [270, [2, 1]],
  ])('moves colours that nothing covers, too, by %i°', (angleDegs, reds) => {
    const samples = Uint8ClampedArray.of(1, 5, 6, 0, 2, 7, 8, 0);
    const turned = rotate({ format: 'rgba8', widthPx: 2, heightPx: 1, samples }, { angleDegs });
    expect(rows(turned).flat()).toEqual(reds);
  });

  it('keeps alpha, and converts JPEG planes', () => {
    const varied = patternFrame('rgba8', 2, 1, 'varied');
    expect([...rotate(varied, { angleDegs: 180 }).samples]).toEqual([
      ...varied.samples.slice(4),
      ...varied.samples.slice(0, 4),
    ]);
    expect([...rotate(patternFrame('ycbcr8', 3, 2), { angleDegs: 90 }).samples.slice(4, 8)]).toEqual([22, 19, 98, 255]);
  });
});

describe('rotate by other angles', () => {
  // Computed by imaging v1.6.2 (Go) from the same pattern.
  it('gives 4×3 turned by 30° as Go does, opaque black outside', () => {
    const turned = rotate(patternFrame('rgba8', 4, 3), { angleDegs: 30 });
    expect(turned).toMatchObject({ format: 'rgba8', widthPx: 5, heightPx: 5 });
    // prettier-ignore
    expect([...turned.samples]).toEqual([
      0, 0, 0, 255, 14, 81, 60, 255, 4, 46, 40, 255, 0, 0, 0, 255, 0, 0, 0, 255,
      32, 40, 8, 255, 87, 148, 70, 255, 29, 160, 177, 255, 73, 67, 87, 255, 21, 20, 29, 255,
      145, 104, 119, 255, 172, 110, 157, 255, 211, 57, 105, 255, 163, 91, 94, 255, 130, 131, 190, 255,
      24, 19, 23, 255, 92, 86, 127, 255, 61, 65, 144, 255, 109, 69, 21, 255, 34, 12, 10, 255,
      0, 0, 0, 255, 0, 0, 0, 255, 15, 27, 25, 255, 36, 68, 11, 255, 0, 0, 0, 255,
    ]);
  });

  it('gives 4×3 turned counter-clockwise by 17° as Go does', () => {
    const turned = rotate(patternFrame('rgba8', 4, 3), { angleDegs: -17 });
    expect(turned).toMatchObject({ widthPx: 5, heightPx: 4 });
    expect([...turned.samples.slice(0, 20)]).toEqual([
      0, 0, 0, 255, 0, 49, 48, 255, 71, 57, 76, 255, 142, 140, 201, 255, 24, 22, 31, 255,
    ]);
  });

  it('weighs colours by alpha, as Go does', () => {
    const turned = rotate(patternFrame('rgba8', 2, 2, 'varied'), { angleDegs: 45 });
    expect(turned).toMatchObject({ widthPx: 3, heightPx: 3 });
    // prettier-ignore
    expect([...turned.samples]).toEqual([
      6, 8, 9, 250, 15, 84, 62, 191, 1, 12, 11, 250,
      82, 58, 81, 246, 78, 149, 164, 195, 1, 111, 108, 249,
      10, 8, 11, 250, 82, 83, 119, 183, 4, 12, 13, 250,
    ]);
  });

  it.each([
    [1, 1, 45, 1, 1],
    [100, 50, 45, 106, 106],
    [100, 50, 1, 101, 52], // 99·cos 1° + 49·sin 1° + 1 = 100.84, 51.72
    [2, 2, 4, 2, 2], // 2.067: a fraction of at most 0.1 adds no pixel
  ])('gives %i×%i turned by %i° a canvas of %i×%i', (widthPx, heightPx, angleDegs, width, height) => {
    const turned = rotate(patternFrame('rgba8', widthPx, heightPx), { angleDegs });
    expect([turned.widthPx, turned.heightPx]).toEqual([width, height]);
  });
});

describe('the size of a turned frame', () => {
  const sizeAt = (widthPx: number, heightPx: number, degrees: number) => {
    const radians = (degrees * Math.PI) / 180;
    return rotatedSize(widthPx, heightPx, Math.sin(radians), Math.cos(radians));
  };
  it.each([
    // extents are w − 1 and h − 1 turned, plus 1; a fraction above 0.1 makes one pixel more
    [2, 1, 60, [2, 2]], // 1.5 and 1.87
    [11, 1, 84.25, [2, 11]], // 2.002: no more; 10.95: one more
    [11, 1, 83.7, [2, 11]], // 2.0973: just not
    [11, 1, 83.6, [3, 11]], // 2.1147: just
    [1, 1, 45, [1, 1]],
    [3, 2, 30, [4, 3]], // 3.23 and 2.87
  ])('%i×%i by %f° is %j', (widthPx, heightPx, degrees, expected) => {
    expect(sizeAt(widthPx, heightPx, degrees)).toEqual(expected);
  });
});
