import { describe, expect, it } from 'vitest';
import type { Frame } from './frame.ts';
import { toRgba8, toStraightRgba8, wholePixels } from './frame-formats.ts';

describe('toRgba8', () => {
  it.each([
    ['black', [0, 128, 128], [0, 0, 0]],
    ['white', [255, 128, 128], [255, 255, 255]],
    ['mid gray', [127, 128, 128], [127, 127, 127]],
    ['JPEG red', [76, 85, 255], [254, 0, 0]],
    ['below the range, green inside', [0, 0, 0], [0, 135, 0]],
    ['above the range, green inside', [255, 255, 255], [255, 121, 255]],
  ])('converts %s from full-range Y, Cb, Cr', (_, ycbcr, rgb) => {
    const frame: Frame = {
      format: 'ycbcr8',
      widthPx: 1,
      heightPx: 1,
      samples: Uint8ClampedArray.of(ycbcr[0]!, ycbcr[1]!, ycbcr[2]!, 255),
    };
    expect([...toRgba8(frame).samples]).toEqual([...rgb, 255]);
    expect([...frame.samples]).toEqual([...ycbcr, 255]);
  });

  it('keeps the high byte of 16-bit samples, and alpha straight', () => {
    const samples = Uint16Array.of(0x12ff, 0xff00, 0x00ff, 0x80ff);
    const { format, samples: bytes } = toRgba8({ format: 'rgba16', widthPx: 1, heightPx: 1, samples });
    expect(format).toBe('rgba8');
    expect([...bytes]).toEqual([0x12, 0xff, 0x00, 0x80]);
  });

  it('gives an 8-bit RGBA frame back as it is', () => {
    const frame: Frame = { format: 'rgba8', widthPx: 1, heightPx: 1, samples: Uint8ClampedArray.of(1, 2, 3, 4) };
    expect(toRgba8(frame)).toBe(frame);
  });
});

describe('wholePixels', () => {
  it.each([0, 1, 2, 4])('reads a frame that starts at byte %i of its buffer', (offset) => {
    const buffer = new ArrayBuffer(12);
    const samples = new Uint8ClampedArray(buffer, offset, 8);
    samples.set([1, 0, 0, 0, 2, 0, 0, 0]);
    const pixels = wholePixels({ format: 'rgba8', widthPx: 2, heightPx: 1, samples });
    expect([...new Uint8Array(pixels.buffer, pixels.byteOffset, 8)]).toEqual([1, 0, 0, 0, 2, 0, 0, 0]);
  });
});

describe('toStraightRgba8', () => {
  // Values from the machine's own resize followed by its crop.
  it.each([
    [[100, 50, 25], 128, [199, 99, 49, 128]],
    [[0, 1, 0], 2, [0, 127, 0, 2]],
    [[254, 127, 0], 254, [255, 127, 0, 254]],
    [[9, 8, 7], 255, [9, 8, 7, 255]],
    [[0, 0, 0], 0, [0, 0, 0, 0]],
  ])('divides %j on black by alpha %d', (colour, alpha, straight) => {
    const samples = Uint8ClampedArray.from([...colour, 255]);
    const frame: Frame = { format: 'rgba8', widthPx: 1, heightPx: 1, samples, alphaOnBlack: Uint8Array.of(alpha) };
    expect([...toStraightRgba8(frame).samples]).toEqual(straight);
    expect([...samples]).toEqual([...colour, 255]);
  });

  it('is the frame itself where nothing was multiplied', () => {
    const frame: Frame = { format: 'rgba8', widthPx: 1, heightPx: 1, samples: Uint8ClampedArray.of(9, 8, 7, 6) };
    expect(toStraightRgba8(frame)).toBe(frame);
  });
});
