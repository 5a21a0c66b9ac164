import { readFile } from 'node:fs/promises';
import jpeg from 'jpeg-js';

/** A picture as the machine packs it for a float32 NCHW model: -1..1, planes R, G, B. */
export interface PackedPicture {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly values: Float32Array;
}

const packed = Float32Array.from({ length: 256 }, (_, level) => level / 127.5 - 1);

export async function readPhotograph(file: string): Promise<PackedPicture> {
  const { width, height, data } = jpeg.decode(await readFile(file), { useTArray: true, formatAsRGBA: false });
  const values = new Float32Array(data.length);
  const planeLength = width * height;
  for (let i = 0; i < data.length; i += 1) values[(i % 3) * planeLength + Math.trunc(i / 3)] = packed[data[i]!]!;
  return { widthPx: width, heightPx: height, values };
}
