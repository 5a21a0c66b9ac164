import { describe, expect, it } from 'vitest';
import { shrinkToRgba } from './shrink-yuv.ts';
import { yuvLayout, type YuvPlanes } from './yuv-frame.ts';
import { yuvMatrices } from './yuv-matrix.ts';
import { yuvToRgba } from './yuv-to-rgba.ts';

const matrix = yuvMatrices({ matrix: 'bt709', fullRange: true })[0]!;

/** Luma by its place, chroma of one value each. */
function frameOf(
  format: YuvPlanes['format'],
  widthPx: number,
  heightPx: number,
  lumaAt: (x: number, y: number) => number,
  [uLevel, vLevel]: readonly [number, number] = [128, 128],
): YuvPlanes {
  const { u, chromaStep, byteLength } = yuvLayout({ format, widthPx, heightPx });
  const planes = new Uint8Array(byteLength);
  for (let at = 0; at < u; at++) planes[at] = lumaAt(at % widthPx, Math.floor(at / widthPx));
  const half = u + (byteLength - u) / 2;
  for (let at = u; at < byteLength; at++)
    planes[at] = (chromaStep === 1 ? at < half : (at - u) % 2 === 0) ? uLevel : vLevel;
  return { format, widthPx, heightPx, planes, matrix };
}

function shrunk(frame: YuvPlanes, widthPx: number, heightPx: number): number[][] {
  const into = new Uint8ClampedArray(4 * widthPx * heightPx);
  shrinkToRgba(frame, { widthPx, heightPx }, into);
  return Array.from({ length: widthPx * heightPx }, (_, at) => [...into.slice(4 * at, 4 * at + 4)]);
}

describe('shrinkToRgba', () => {
  it.each(['i420', 'nv12'] as const)('leaves one colour of %s as it is, at every size', (format) => {
    const frame = frameOf(format, 21, 13, () => 90, [200, 60]);
    const expected = new Uint8ClampedArray(4 * 21 * 13);
    yuvToRgba(frame, expected);
    const colour = [...expected.slice(0, 4)];
    for (const [width, height] of [
      [21, 13],
      [20, 12],
      [10, 6],
      [5, 3],
      [1, 1],
    ] as const)
      expect(new Set(shrunk(frame, width, height).map(String))).toEqual(new Set([String(colour)]));
  });

  it('takes four pixels for one at a half, and sixteen at a quarter', () => {
    const frame = frameOf('i420', 4, 4, (x, y) => (x < 2 && y < 2 ? [0, 40, 80, 120][x + 2 * y]! : 255));
    expect(shrunk(frame, 2, 2).map(([red]) => red)).toEqual([60, 255, 255, 255]);
    expect(shrunk(frame, 1, 1)).toEqual([[207, 207, 207, 255]]);
  });

  it('mixes the two pixels that are nearest, by their distance', () => {
    const frame = frameOf('i420', 3, 1, (x) => [0, 90, 240][x]!);
    // The middles of two pixels of a picture of three lie at a quarter and three quarters of it: 0.25 and 1.75 pixels from the first.
    expect(shrunk(frame, 2, 1).map(([red]) => red)).toEqual([23, 203]);
  });

  it('passes over no line, however thin', () => {
    const frame = frameOf('i420', 96, 4, (x) => (x === 50 ? 255 : 0));
    for (const width of [60, 48, 30, 20])
      expect(Math.max(...shrunk(frame, width, 2).map(([red]) => red!))).toBeGreaterThan(20);
  });
});
