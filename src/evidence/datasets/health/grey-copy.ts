import type { GreyImage } from './difference-hash.ts';

/** Pixels, four 8-bit samples each: red, green, blue, alpha. */
export interface RgbaPixels {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly samples: ArrayLike<number>;
}

/**
 * A small grey copy: each of its pixels is the mean of those that it covers. It is computed here, and not by a canvas,
 * so that a browser and the command line measure the same.
 *
 * @param pixels of the whole picture
 * @param size of the copy, at most that of the picture
 * @returns levels 0..255, luma by ITU-R BT.601 as in JPEG
 * @example
 * const pixels = { widthPx: 2, heightPx: 1, samples: [255, 255, 255, 255, 0, 0, 0, 255] };
 * greyCopy(pixels, { widthPx: 1, heightPx: 1 }).samples[0]; // => 127.5
 */
export function greyCopy(
  { widthPx, heightPx, samples }: RgbaPixels,
  size: { readonly widthPx: number; readonly heightPx: number },
): GreyImage {
  const sums = new Float64Array(size.widthPx * size.heightPx);
  const counts = new Uint32Array(size.widthPx * size.heightPx);
  const columns = Uint32Array.from({ length: widthPx }, (_, x) => Math.floor((x * size.widthPx) / widthPx));
  for (let y = 0, from = 0; y < heightPx; y++) {
    const row = Math.floor((y * size.heightPx) / heightPx) * size.widthPx;
    for (let x = 0; x < widthPx; x++, from += 4) {
      const to = row + columns[x]!;
      sums[to]! += 0.299 * samples[from]! + 0.587 * samples[from + 1]! + 0.114 * samples[from + 2]!;
      counts[to]!++;
    }
  }
  return { ...size, samples: sums.map((sum, at) => sum / counts[at]!) };
}
