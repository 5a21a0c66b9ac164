import { encode as encodePng } from 'fast-png';
import { flatJpeg } from './flat-jpeg.ts';

/** 16 × 8 px */
export const jpeg = flatJpeg({ widthPx: 16, heightPx: 8 });

/** 5 × 3 px */
export const png = encodePng({ width: 5, height: 3, data: new Uint8Array(45), channels: 3 });

export const ascii = (text: string) => [...text].map((letter) => letter.charCodeAt(0));

/** The body of an EXIF segment that contains only an orientation. */
export function tiff(orientation: number, littleEndian: boolean): number[] {
  const two = (value: number) => (littleEndian ? [value, 0] : [0, value]);
  const four = (value: number) => (littleEndian ? [value, 0, 0, 0] : [0, 0, 0, value]);
  const tag = littleEndian ? [0x12, 0x01] : [0x01, 0x12];
  return [
    ...ascii(littleEndian ? 'II' : 'MM'),
    ...two(42),
    ...four(8),
    ...two(1),
    ...tag,
    ...two(3),
    ...four(1),
    ...two(orientation),
    0,
    0,
    0,
    0,
    0,
    0,
  ];
}

/** The JPEG with an additional first segment. */
export function withSegment(marker: number, body: readonly number[]): Uint8Array {
  const length = body.length + 2;
  return Uint8Array.from([0xff, 0xd8, 0xff, marker, length >> 8, length & 255, ...body, ...jpeg.subarray(2)]);
}
