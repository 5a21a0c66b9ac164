import type { Frame } from '../src/machine/vision/frame/frame.ts';
import { yuvFrame, yuvLayout, type YuvFrame } from '../src/machine/vision/yuv/yuv-frame.ts';
import { yuvMatrices } from '../src/machine/vision/yuv/yuv-matrix.ts';
import { pixelsByReference } from '../src/machine/vision/yuv/yuv-to-rgba.ts';

/** Seeded random numbers in [0, 1) (mulberry32). */
export function randomSource(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A frame of noise. A fifth of its samples are at the ends of the range, where rounding and clamping errors are most likely. */
export function randomFrame(
  random: () => number,
  format: Frame['format'],
  widthPx: number,
  heightPx: number,
  alpha: 'opaque' | 'mixed',
): Frame {
  const length = 4 * widthPx * heightPx;
  const highest = format === 'rgba16' ? 0xffff : 0xff;
  const samples = format === 'rgba16' ? new Uint16Array(length) : new Uint8ClampedArray(length);
  for (let i = 0; i < length; i++) {
    const extreme = random();
    samples[i] = extreme < 0.1 ? 0 : extreme < 0.2 ? highest : Math.floor(random() * (highest + 1));
    if (i % 4 === 3 && (alpha === 'opaque' || format === 'ycbcr8')) samples[i] = highest;
  }
  return { format, widthPx, heightPx, samples } as Frame;
}

/** Like randomFrame, but a YUV frame of a camera, with one of the known colour matrices. */
export function randomYuvFrame(
  random: () => number,
  format: YuvFrame['format'],
  widthPx: number,
  heightPx: number,
): YuvFrame {
  const planes = Uint8Array.from({ length: yuvLayout({ format, widthPx, heightPx }).byteLength }, () => {
    const extreme = random();
    return extreme < 0.1 ? 0 : extreme < 0.2 ? 255 : Math.floor(random() * 256);
  });
  const matrix = yuvMatrices({ matrix: random() < 0.5 ? 'smpte170m' : 'bt709', fullRange: random() < 0.5 })[0]!;
  return yuvFrame({ format, widthPx, heightPx, planes, matrix }, pixelsByReference);
}
