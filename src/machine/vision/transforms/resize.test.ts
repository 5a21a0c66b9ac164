import { describe, expect, it } from 'vitest';
import type { Frame } from '../frame/frame.ts';
import { patternFrame } from '../frame/pattern-frame.ts';
import { crop } from './crop.ts';
import { resizeNearest } from './resize.ts';
import { rotate } from './rotate.ts';

const row = (widthPx: number): Frame => ({
  format: 'rgba8',
  widthPx,
  heightPx: 1,
  samples: Uint8ClampedArray.from({ length: 4 * widthPx }, (_, i) => (i % 4 === 3 ? 255 : i >> 2)),
});
const reds = (frame: Frame) => [...frame.samples].filter((_, i) => i % 4 === 0);

describe('resizeNearest', () => {
  it.each([
    [5, 5, [0, 1, 2, 3, 4]],
    [5, 1, [2]],
    [4, 2, [1, 3]], // centres fall on the border: the right one of the pair
    [37, 10, [1, 5, 9, 12, 16, 20, 24, 27, 31, 35]],
    [2, 5, [0, 0, 1, 1, 1]],
    [1, 3, [0, 0, 0]],
    [3, 4, [0, 1, 1, 2]],
  ])('takes %i columns to %i', (from, to, sources) => {
    expect(reds(resizeNearest(row(from), { widthPx: to, heightPx: 1 }))).toEqual(sources);
  });

  it('stretches each axis on its own', () => {
    const resized = resizeNearest(patternFrame('rgba8', 2, 3), { widthPx: 4, heightPx: 1 });
    expect(resized).toMatchObject({ format: 'rgba8', widthPx: 4, heightPx: 1 });
    const middleRow = patternFrame('rgba8', 2, 3).samples.slice(8, 16);
    const [left, right] = [middleRow.slice(0, 4), middleRow.slice(4)];
    expect([...resized.samples]).toEqual([...left, ...left, ...right, ...right]);
  });

  it.each([
    ['rgba8', [17, 100, 74, 0, 172, 168, 0, 172, 168, 126, 90, 124, 93, 94, 137, 93, 94, 137]],
    ['rgba16', [0, 139, 193, 54, 54, 198, 54, 54, 198, 72, 2, 95, 12, 2, 8, 12, 2, 8]],
  ] as const)('multiplies the alpha of %s into the colours, as Go does', (format, rgb) => {
    const { samples } = resizeNearest(patternFrame(format, 2, 2, 'varied'), { widthPx: 3, heightPx: 2 });
    expect([...samples].filter((_, i) => i % 4 !== 3)).toEqual(rgb);
    expect([...samples].filter((_, i) => i % 4 === 3)).toEqual([255, 255, 255, 255, 255, 255]);
  });

  it('converts JPEG planes', () => {
    const { samples } = resizeNearest(patternFrame('ycbcr8', 3, 2), { widthPx: 3, heightPx: 2 });
    expect([...samples.slice(0, 8)]).toEqual([22, 19, 98, 255, 66, 0, 91, 255]);
  });

  it.each([
    ['zero-size', 0, 5, /width_px/],
    ['zero-size', 5, 0, /height_px/],
    ['zero-size', 0, 0, /width_px/],
    ['negative-size', -3, 5, /width_px is -3/],
    ['negative-size', 5, -1, /height_px is -1/],
  ] as const)('fails with %s for %i×%i', (code, widthPx, heightPx, message) => {
    expect(() => resizeNearest(row(2), { widthPx, heightPx })).toThrow(
      expect.objectContaining({ name: 'TransformError', code, message: expect.stringMatching(message) }),
    );
  });
});

describe('a partly transparent frame', () => {
  const samples = Uint8ClampedArray.of(200, 100, 50, 128, 10, 20, 30, 255);
  const frame: Frame = { format: 'rgba8', widthPx: 2, heightPx: 1, samples };
  const resized = resizeNearest(frame, { widthPx: 3, heightPx: 1 });

  it('lies on black for the model, with its alpha beside it', () => {
    expect([...resized.samples]).toEqual([100, 50, 25, 255, 10, 20, 30, 255, 10, 20, 30, 255]);
    expect([...resized.alphaOnBlack!]).toEqual([128, 255, 255]);
  });

  it('cuts what alpha leaves of a colour, at 16 bits', () => {
    // 127 · 257 · 2 / 255 = 255.99 of 65535: not yet 1 of 255
    const faint: Frame = { format: 'rgba8', widthPx: 1, heightPx: 1, samples: Uint8ClampedArray.of(127, 128, 0, 2) };
    expect([...resizeNearest(faint, { widthPx: 1, heightPx: 1 }).samples]).toEqual([0, 1, 0, 255]);
  });

  it('has it by rows and columns', () => {
    const four = Uint8ClampedArray.from([10, 20, 30, 255].flatMap((alpha) => [0, 0, 0, alpha]));
    const tall = resizeNearest(
      { format: 'rgba8', widthPx: 2, heightPx: 2, samples: four },
      { widthPx: 2, heightPx: 4 },
    );
    expect([...tall.alphaOnBlack!]).toEqual([10, 20, 10, 20, 30, 255, 30, 255]);
  });

  it('of 16 bits keeps the high byte of its alpha', () => {
    const deep: Frame = {
      format: 'rgba16',
      widthPx: 1,
      heightPx: 1,
      samples: Uint16Array.of(0xffff, 0x8000, 0, 0x40ff),
    };
    const { samples: on, alphaOnBlack } = resizeNearest(deep, { widthPx: 1, heightPx: 1 });
    expect([[...on], [...alphaOnBlack!]]).toEqual([[0x40, 0x20, 0, 255], [0x40]]);
  });

  it('is none where every pixel is opaque', () => {
    expect(resizeNearest(row(2), { widthPx: 1, heightPx: 1 })).not.toHaveProperty('alphaOnBlack');
  });

  it('keeps its alpha through another resize', () => {
    const again = resizeNearest(resized, { widthPx: 2, heightPx: 1 });
    expect([...again.samples]).toEqual([100, 50, 25, 255, 10, 20, 30, 255]);
    expect([...again.alphaOnBlack!]).toEqual([128, 255]);
  });

  it('has straight alpha again after crop and rotation', () => {
    const window = { xMin: 0, yMin: 0, xMax: 2, yMax: 1, overlayCropBox: false };
    expect([...crop(resized, window).samples]).toEqual([199, 99, 49, 128, 10, 20, 30, 255]);
    expect([...rotate(resized, { angleDegs: 180 }).samples.slice(-4)]).toEqual([199, 99, 49, 128]);
  });
});
