import type { FlatComponent } from './flat-jpeg.ts';
import type { Frame } from '../src/machine/vision/frame/frame.ts';
import { decodeJpeg } from '../src/machine/vision/jpeg/decode-jpeg.ts';

const anySize = (): void => {};

/** Decodes a JPEG without a size limit. @throws JpegError */
export function decoded(bytes: Uint8Array): Frame {
  return decodeJpeg(bytes, anySize);
}

/** Three components (such as Y, Cb and Cr), each with one constant level. */
export function three(levels: readonly [number, number, number], ids = [1, 2, 3]): FlatComponent[] {
  return levels.map((level, k) => ({ id: ids[k]!, level: () => level }));
}
