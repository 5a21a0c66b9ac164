import type { YuvPlanes } from './yuv-frame.ts';

/** Pixels a side of `yuvColourCard`. */
export const colourCardSidePx = 512;

/**
 * Makes planes with a block of 2×2 pixels for every pair of U and V, in which every Y occurs with every U and every V.
 * Red depends on Y and V only, blue on Y and U, and green is a sum: a converter that agrees with the reference on this
 * card agrees with it everywhere.
 * @param format how the planes lie in memory
 * @returns the planes of a picture of 512×512 pixels
 * @example
 * yuvColourCard('i420').length; // => 512 * 512 * 1.5
 */
export function yuvColourCard(format: YuvPlanes['format']): Uint8Array<ArrayBuffer> {
  const planes = new Uint8Array(6 * 256 * 256);
  const lumas = 4 * 256 * 256;
  for (let v = 0; v < 256; v++) {
    for (let u = 0; u < 256; u++) {
      const block = 256 * v + u;
      const [uAt, vAt] = format === 'i420' ? [block, 256 * 256 + block] : [2 * block, 2 * block + 1];
      planes[lumas + uAt] = u;
      planes[lumas + vAt] = v;
      // 64 values of four Y each: every value occurs along a row of blocks, and along a column too
      const four = 4 * ((u + 5 * v) % 64);
      const corner = 2 * (colourCardSidePx * v + u);
      planes[corner] = four;
      planes[corner + 1] = four + 1;
      planes[corner + colourCardSidePx] = four + 2;
      planes[corner + colourCardSidePx + 1] = four + 3;
    }
  }
  return planes;
}
