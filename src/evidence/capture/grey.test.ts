import { describe, expect, it } from 'vitest';
import type { Frame } from '../../machine/vision/frame/frame.ts';
import { greyDifference } from './grey-difference.ts';
import { greyThumbnail } from './grey-thumbnail.ts';

const plain = (format: 'rgba8' | 'ycbcr8', pixel: readonly number[], widthPx = 64, heightPx = 48): Frame => ({
  format,
  widthPx,
  heightPx,
  samples: Uint8ClampedArray.from({ length: 4 * widthPx * heightPx }, (_, i) => pixel[i % 4]!),
});

describe('greyThumbnail', () => {
  it.each<[string, Frame, number]>([
    ['black', plain('rgba8', [0, 0, 0, 255]), 0],
    ['white', plain('rgba8', [255, 255, 255, 255]), 255],
    ['a luma plane', plain('ycbcr8', [128, 200, 10, 255]), 128],
    ['a single pixel', plain('rgba8', [160, 160, 160, 255], 1, 1), 160],
  ])('of %s', (_, frame, level) => {
    expect([...greyThumbnail(frame)]).toEqual(Array(256).fill(level));
  });

  it('puts what is at the top left there', () => {
    const frame = plain('rgba8', [0, 0, 0, 255]);
    for (let y = 0; y < 3; y++)
      for (let x = 0; x < 4; x++) frame.samples.fill(255, 4 * (64 * y + x), 4 * (64 * y + x) + 4);
    const grey = greyThumbnail(frame);
    expect([grey[0], grey[1], grey[16]]).toEqual([255, 0, 0]);
  });

  it('reads 16-bit samples by their high byte', () => {
    const samples = new Uint16Array(4 * 16 * 16).fill(0x8000);
    expect(greyThumbnail({ format: 'rgba16', widthPx: 16, heightPx: 16, samples })[0]).toBe(128);
  });
});

describe('greyDifference', () => {
  const levels = (...values: number[]) => Uint8Array.from(values);
  it.each<[string, Uint8Array, Uint8Array, number]>([
    ['nothing', levels(1, 2, 3), levels(1, 2, 3), 0],
    ['a lamp', levels(10, 20), levels(60, 70), 0],
    ['something that moved', levels(0, 255), levels(255, 0), 1],
    ['other sizes', levels(1), levels(1, 2), 1],
    ['pictures without pixels', levels(), levels(), 1],
  ])('of %s', (_, a, b, expected) => {
    expect(greyDifference(a, b)).toBe(expected);
  });
});
