import { describe, expect, it } from 'vitest';
import { randomFrame, randomSource, randomYuvFrame } from '../../../../tests/random-frame.ts';
import { colourCardSidePx, yuvColourCard } from './colour-card.ts';
import { yuvFrame, yuvLayout } from './yuv-frame.ts';
import { yuvMatrices } from './yuv-matrix.ts';
import { glanceAt, yuvToRgba } from './yuv-to-rgba.ts';

function colourOf(matrix: string, fullRange: boolean, y: number, u: number, v: number): readonly number[] {
  const planes = Uint8Array.of(y, u, v);
  const into = new Uint8ClampedArray(4);
  yuvToRgba({ format: 'i420', widthPx: 1, heightPx: 1, planes, matrix: yuvMatrices({ matrix, fullRange })[0]! }, into);
  return [...into];
}

describe('yuvToRgba', () => {
  // colours in the way that Chromium 156 converts them
  it.each([
    ['smpte170m', false, [16, 128, 128], [0, 0, 0]],
    ['smpte170m', false, [235, 128, 128], [255, 255, 255]],
    ['smpte170m', false, [81, 90, 240], [254, 0, 0]],
    ['smpte170m', false, [255, 255, 255], [255, 125, 255]],
    ['bt470bg', false, [81, 90, 240], [254, 0, 0]],
    ['smpte170m', true, [76, 85, 255], [255, 0, 0]],
    ['bt709', false, [63, 102, 240], [255, 1, 3]],
    ['bt709', true, [54, 99, 255], [254, 0, 0]],
    ['bt709', true, [128, 128, 128], [128, 128, 128]],
  ] as const)('%s, full range %s: %j', (matrix, fullRange, [y, u, v], rgb) => {
    expect(colourOf(matrix, fullRange, y, u, v)).toEqual([...rgb, 255]);
  });

  it.each([
    ['bt2020-ncl', false],
    ['rgb', true],
    [null, false],
    ['bt709', null],
  ])('has no matrix for %s, full range %s', (matrix, fullRange) => {
    expect(yuvMatrices({ matrix, fullRange })).toEqual([]);
  });

  it('gives a block of 2×2 one chroma, and a last odd column and row their own', () => {
    const matrix = yuvMatrices({ matrix: 'smpte170m', fullRange: true })[0]!;
    const [u, v] = [
      [0, 50, 100, 150],
      [200, 210, 220, 230],
    ] as const;
    const luma = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    const size = { widthPx: 3, heightPx: 3, matrix };
    const i420 = new Uint8ClampedArray(36);
    yuvToRgba({ format: 'i420', ...size, planes: Uint8Array.of(...luma, ...u, ...v) }, i420);
    luma.forEach((y, at) => {
      const block = 2 * (Math.floor(at / 3) >> 1) + ((at % 3) >> 1);
      expect([...i420.subarray(4 * at, 4 * at + 4)]).toEqual(colourOf('smpte170m', true, y, u[block]!, v[block]!));
    });
    const sideBySide = u.flatMap((sample, at) => [sample, v[at]!]);
    const nv12 = new Uint8ClampedArray(36);
    yuvToRgba({ format: 'nv12', ...size, planes: Uint8Array.of(...luma, ...sideBySide) }, nv12);
    expect(nv12).toEqual(i420);
  });
});

describe('yuvFrame', () => {
  it('converts its planes when its pixels are asked for, and once', () => {
    let conversions = 0;
    const size = { widthPx: 2, heightPx: 2 };
    const planes = new Uint8Array(yuvLayout({ format: 'nv12', ...size }).byteLength);
    const matrix = yuvMatrices({ matrix: 'bt709', fullRange: false })[0]!;
    const frame = yuvFrame({ format: 'nv12', ...size, planes, matrix }, () => {
      conversions++;
      return { format: 'rgba8', ...size, samples: new Uint8ClampedArray(16) };
    });
    expect(conversions).toBe(0);
    expect(frame.pixels()).toBe(frame.pixels());
    expect(conversions).toBe(1);
  });
});

describe('glanceAt', () => {
  it('is of planes the nearest pixels', () => {
    const frame = randomYuvFrame(randomSource(1), 'i420', 5, 3);
    const { samples } = frame.pixels();
    const glance = glanceAt(frame, 2);
    expect(glance).toMatchObject({ format: 'rgba8', widthPx: 2, heightPx: 2 });
    const at = (x: number, y: number) => [...samples.subarray(4 * (5 * y + x), 4 * (5 * y + x) + 4)];
    expect([...glance.samples]).toEqual([...at(1, 0), ...at(3, 0), ...at(1, 2), ...at(3, 2)]);
  });

  it('is a frame of pixels itself', () => {
    const frame = randomFrame(randomSource(1), 'rgba8', 9, 7, 'opaque');
    expect(glanceAt(frame, 2)).toBe(frame);
  });
});

describe('the test card', () => {
  it.each(['i420', 'nv12'] as const)('of %s has every pair of Y and U, of Y and V, and of U and V', (format) => {
    const size = { format, widthPx: colourCardSidePx, heightPx: colourCardSidePx };
    const planes = yuvColourCard(format);
    const layout = yuvLayout(size);
    expect(planes).toHaveLength(layout.byteLength);
    const pairs = { yu: new Set<number>(), yv: new Set<number>(), uv: new Set<number>() };
    for (let y = 0; y < colourCardSidePx; y++) {
      for (let x = 0; x < colourCardSidePx; x++) {
        const chroma = layout.chromaStride * (y >> 1) + layout.chromaStep * (x >> 1);
        const [luma, u, v] = [
          planes[colourCardSidePx * y + x]!,
          planes[layout.u + chroma]!,
          planes[layout.v + chroma]!,
        ];
        pairs.yu.add(256 * luma + u);
        pairs.yv.add(256 * luma + v);
        pairs.uv.add(256 * u + v);
      }
    }
    expect(Object.values(pairs).map(({ size: count }) => count)).toEqual([65536, 65536, 65536]);
  });
});
