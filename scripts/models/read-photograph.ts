import { readFile } from 'node:fs/promises';
import { decodeJpeg } from '../../src/platform/decode/jpeg.ts';
import { toRgba8 } from '../../src/machine/vision/frame/frame-formats.ts';

/** A picture as the machine packs it for a float32 NCHW model: -1..1, planes R, G, B. */
export interface PackedPicture {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly values: Float32Array;
}

const packed = Float32Array.from({ length: 256 }, (_, level) => level / 127.5 - 1);

export async function readPhotograph(file: string): Promise<PackedPicture> {
  const { widthPx, heightPx, samples } = toRgba8(decodeJpeg(await readFile(file)));
  const planeLength = widthPx * heightPx;
  const values = new Float32Array(3 * planeLength);
  for (let pixel = 0; pixel < planeLength; pixel++) {
    for (let k = 0; k < 3; k++) values[k * planeLength + pixel] = packed[samples[4 * pixel + k]!]!;
  }
  return { widthPx, heightPx, values };
}
