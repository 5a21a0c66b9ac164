import { describe, expect, it } from 'vitest';
import type { Frame } from '../frame/frame.ts';
import { cropToEven } from './crop-to-even.ts';

/** Every pixel says its column and row. */
function numbered(widthPx: number, heightPx: number, format: 'rgba8' | 'ycbcr8' = 'rgba8'): Frame {
  const samples = Uint8ClampedArray.from({ length: 4 * widthPx * heightPx }, (_, i) => {
    const pixel = i >> 2;
    return [pixel % widthPx, Math.floor(pixel / widthPx), 7, 255][i & 3]!;
  });
  return { format, widthPx, heightPx, samples };
}

describe('cropToEven', () => {
  it.each([
    [321, 241, 320, 240],
    [321, 240, 320, 240],
    [320, 241, 320, 240],
    [3, 3, 2, 2],
  ])('leaves the last column and row of %i×%i away', (widthPx, heightPx, evenWidthPx, evenHeightPx) => {
    const cropped = cropToEven(numbered(widthPx, heightPx));
    expect(cropped).toEqual(numbered(evenWidthPx, evenHeightPx));
  });

  it.each(['rgba8', 'ycbcr8'] as const)('gives an even frame of %s as it is', (format) => {
    const even = numbered(4, 2, format);
    expect(cropToEven(even)).toBe(even);
  });

  // pixels that the machine's own code gave
  it('forgets alpha, and rounds 16 bits', () => {
    const row = [200, 100, 50, 51, 8, 80, 160, 200, 9, 9, 9, 9];
    const samples = Uint8ClampedArray.from(row);
    expect(
      [
        ...cropToEven({
          format: 'rgba8',
          widthPx: 3,
          heightPx: 2,
          samples: Uint8ClampedArray.from([...samples, ...row]),
        }).samples,
      ].slice(0, 8),
    ).toEqual([200, 100, 50, 255, 8, 80, 160, 255]);
    const wide = [0x1280, 0x2290, 0x33a0, 0xffff, 0x44ff, 0x5501, 0x66f0, 0xffff, 1, 2, 3, 0xffff];
    const deep = { format: 'rgba16', widthPx: 3, heightPx: 2, samples: Uint16Array.from([...wide, ...wide]) } as const;
    expect([...cropToEven(deep).samples].slice(0, 8)).toEqual([18, 34, 51, 255, 69, 85, 103, 255]);
    expect(() => cropToEven({ ...deep, isDepth: true })).toThrow(expect.objectContaining({ code: 'depth-picture' }));
  });

  it('keeps colours of 8 bits where nothing covers them', () => {
    const samples = Uint8ClampedArray.from([9, 8, 7, 0, 6, 5, 4, 1, 0, 0, 0, 0, 3, 2, 1, 0, 6, 5, 4, 1, 0, 0, 0, 0]);
    const cropped = cropToEven({ format: 'rgba8', widthPx: 3, heightPx: 2, samples });
    expect([...cropped.samples]).toEqual([9, 8, 7, 255, 6, 5, 4, 255, 3, 2, 1, 255, 6, 5, 4, 255]);
  });

  // Premultiplied, 0x8000 · 0x8000 / 0xffff = 0x4000; divided, 0x4000 · 0xffff / 0x8000 = 0x7fff: 127, where 0x8000 would be 128.
  it('divides 16 bits by their alpha again, and leaves nothing of what nothing covers', () => {
    const half = [0x8000, 0x4000, 0x0100, 0x8000];
    const none = [0xffff, 0x8000, 0x1234, 0];
    const row = [...half, ...none, 0, 0, 0, 0];
    const deep = { format: 'rgba16', widthPx: 3, heightPx: 2, samples: Uint16Array.from([...row, ...row]) } as const;
    expect([...cropToEven(deep).samples].slice(8)).toEqual([127, 64, 1, 255, 0, 0, 0, 255]);
  });

  it('converts JPEG planes that it cuts, and says the size of a depth picture that it does not', () => {
    const samples = Uint8ClampedArray.from(Array.from({ length: 6 }, () => [76, 85, 255, 255]).flat());
    const cropped = cropToEven({ format: 'ycbcr8', widthPx: 3, heightPx: 2, samples });
    expect(cropped).toMatchObject({ format: 'rgba8', widthPx: 2, heightPx: 2 });
    expect([...cropped.samples.slice(0, 4)]).toEqual([254, 0, 0, 255]);
    const depth: Frame = { format: 'rgba16', widthPx: 3, heightPx: 2, samples: new Uint16Array(24), isDepth: true };
    expect(() => cropToEven(depth)).toThrow('This frame is a depth picture (16-bit gray) of 3×2,');
    expect(cropToEven({ ...depth, widthPx: 4, heightPx: 2 })).toMatchObject({ widthPx: 4 });
  });

  it.each([
    [1, 6],
    [333, 1],
    [1, 1],
  ])('refuses %i×%i, of which nothing remains', (widthPx, heightPx) => {
    expect(() => cropToEven(numbered(widthPx, heightPx))).toThrow(
      expect.objectContaining({ code: 'empty-window', message: expect.stringContaining(`${widthPx}×${heightPx}`) }),
    );
  });
});
