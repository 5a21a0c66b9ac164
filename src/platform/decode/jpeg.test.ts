import { describe, expect, it } from 'vitest';
import { flatJpeg, segment } from '../../../tests/flat-jpeg.ts';
import { toRgba8 } from '../../machine/vision/frame/frame-formats.ts';
import { JpegError } from '../../machine/vision/jpeg/jpeg-error.ts';
import { decodeJpeg } from './jpeg.ts';

describe('decodeJpeg', () => {
  it('keeps the planes of a colour JPEG', () => {
    const red = [76, 85, 255].map((level, k) => ({ id: k + 1, level: () => level }));
    const frame = decodeJpeg(flatJpeg({ components: red }));
    expect(frame).toMatchObject({ format: 'ycbcr8', widthPx: 16, heightPx: 8 });
    expect([...frame.samples.subarray(0, 4)]).toEqual([76, 85, 255, 255]);
    expect([...toRgba8(frame).samples.subarray(0, 4)]).toEqual([254, 0, 0, 255]);
  });

  const ofSize = (...size: number[]) => Uint8Array.from([0xff, 0xd8, ...segment(0xc0, [8, ...size, 1, 1, 0x11, 0])]);
  it.each([
    ['damaged', flatJpeg().subarray(0, 100)],
    ['damaged', ofSize(0, 8, 0, 0)],
    ['unsupported-format', Uint8Array.from([0xff, 0xd8, ...segment(0xc3, [])])],
    ['too-large', ofSize(255, 255, 255, 255)],
  ])('refuses with %s', (code, jpeg) => {
    expect(() => decodeJpeg(jpeg)).toThrow(expect.objectContaining({ name: 'ImageDecodeError', code }));
  });

  it('keeps what the decoder said as the cause', () => {
    expect(() => decodeJpeg(flatJpeg().subarray(0, 100))).toThrow(
      expect.objectContaining({ message: expect.stringContaining('100 bytes'), cause: expect.any(JpegError) }),
    );
  });
});
