import type { FlatComponent } from './flat-jpeg.ts';
import type { Frame } from '../src/vision/frame.ts';
import { decodeJpeg } from '../src/vision/jpeg/decode-jpeg.ts';

const anySize = (): void => {};

/** The frame of a JPEG, however large. @throws JpegError */
export function decoded(bytes: Uint8Array): Frame {
  return decodeJpeg(bytes, anySize);
}

/** Y, Cb and Cr, or whatever three components are, a level each. */
export function three(levels: readonly [number, number, number], ids = [1, 2, 3]): FlatComponent[] {
  return levels.map((level, k) => ({ id: ids[k]!, level: () => level }));
}
