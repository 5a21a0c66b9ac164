import { encode } from 'jpeg-js';
import { describe, expect, it } from 'vitest';
import { toRgba8 } from '../../vision/frame-formats.ts';
import { decodeJpeg } from './jpeg.ts';

/** A JPEG of one colour, which survives the transform within a level or two. */
function jpegOf(red: number, green: number, blue: number, widthPx = 16, heightPx = 8): Uint8Array {
  const data = new Uint8Array(4 * widthPx * heightPx);
  for (let i = 0; i < data.length; i += 4) data.set([red, green, blue, 255], i);
  return new Uint8Array(encode({ width: widthPx, height: heightPx, data }, 100).data);
}

/** Puts a segment behind the start marker, in place of JFIF's if asked. */
function withSegment(jpeg: Uint8Array, marker: number, body: readonly number[], { keepJfif = true } = {}): Uint8Array {
  const rest = keepJfif ? jpeg.subarray(2) : jpeg.subarray(4 + ((jpeg[4]! << 8) | jpeg[5]!));
  return Uint8Array.from([0xff, 0xd8, 0xff, marker, 0, body.length + 2, ...body, ...rest]);
}

const ascii = (text: string) => [...text].map((letter) => letter.charCodeAt(0));
const adobe = (transform: number) => [...ascii('Adobe'), 0, 100, 0, 0, 0, 0, transform];
const firstPixel = (samples: ArrayLike<number>) => Array.from({ length: 3 }, (_, i) => samples[i]!);
const near = (expected: number, within: number) =>
  expect.toSatisfy((value: number) => Math.abs(value - expected) <= within, `${expected} ± ${within}`);

describe('decodeJpeg', () => {
  it('keeps the planes of a colour JPEG', () => {
    const frame = decodeJpeg(jpegOf(255, 0, 0));
    expect(frame).toMatchObject({ format: 'ycbcr8', widthPx: 16, heightPx: 8 });
    expect(firstPixel(frame.samples)).toEqual([near(76, 2), near(85, 2), near(255, 2)]);
    expect(firstPixel(toRgba8(frame).samples)).toEqual([near(255, 4), near(0, 4), near(0, 4)]);
  });

  it('keeps the planes under an Adobe marker that says YCbCr', () => {
    const frame = decodeJpeg(withSegment(jpegOf(255, 0, 0), 0xee, adobe(1), { keepJfif: false }));
    expect(frame.format).toBe('ycbcr8');
    expect(firstPixel(frame.samples)).toEqual([near(76, 2), near(85, 2), near(255, 2)]);
  });

  it('takes components as RGB where an Adobe marker without JFIF says so', () => {
    const frame = decodeJpeg(withSegment(jpegOf(255, 0, 0), 0xee, adobe(0), { keepJfif: false }));
    expect(frame.format).toBe('rgba8');
    expect(firstPixel(frame.samples)).toEqual([near(76, 2), near(85, 2), near(255, 2)]);
  });

  it('believes JFIF before Adobe', () => {
    expect(decodeJpeg(withSegment(jpegOf(9, 9, 9), 0xee, adobe(0))).format).toBe('ycbcr8');
  });

  it('does not turn a picture by its EXIF orientation', () => {
    const orientation6 = [
      ...ascii('Exif'),
      0,
      0,
      ...ascii('MM'),
      0,
      42,
      0,
      0,
      0,
      8,
      0,
      1,
      1,
      0x12,
      0,
      3,
      0,
      0,
      0,
      1,
      0,
      6,
      0,
      0,
      0,
      0,
      0,
      0,
    ];
    expect(decodeJpeg(withSegment(jpegOf(1, 2, 3), 0xe1, orientation6))).toMatchObject({ widthPx: 16, heightPx: 8 });
  });

  it.each([
    ['damaged', Uint8Array.of(0xff, 0xd8, 0xff, 0xd9)],
    ['damaged', jpegOf(1, 2, 3).subarray(0, 200)],
    ['unsupported-format', withSegment(jpegOf(1, 2, 3), 0xc3, [8, 0, 8, 0, 16, 3, 1, 17, 0, 2, 17, 0, 3, 17, 0])],
    ['unsupported-format', withSegment(jpegOf(1, 2, 3), 0xc0, [12, 0, 8, 0, 16, 1, 1, 17, 0])],
    [
      'unsupported-format',
      withSegment(jpegOf(1, 2, 3), 0xc0, [8, 0, 8, 0, 16, 4, 1, 17, 0, 2, 17, 0, 3, 17, 0, 4, 17, 0]),
    ],
    ['too-large', withSegment(jpegOf(1, 2, 3), 0xc0, [8, 255, 255, 255, 255, 1, 1, 17, 0])],
  ])('refuses with %s', (code, jpeg) => {
    expect(() => decodeJpeg(jpeg)).toThrow(expect.objectContaining({ name: 'DecodeError', code }));
  });
});
