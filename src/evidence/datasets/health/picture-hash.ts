import { differenceHash } from './difference-hash.ts';
import { greyCopy, type RgbaPixels } from './grey-copy.ts';

/** Four samples for each cell of the hash, so that noise averages out. */
const sizePx = { widthPx: 36, heightPx: 32 };

/**
 * The difference hash of a picture, of a grey copy that is computed here and not by a canvas, so that a browser and the
 * command line find the same pictures alike.
 *
 * @param pixels of the whole picture
 * @returns 64 bits
 * @example
 * const samples = Array.from({ length: 4 * 36 * 32 }, (_, at) => (at % 4 === 3 ? 255 : Math.floor(at / 4) % 36));
 * pictureHash({ widthPx: 36, heightPx: 32, samples }) === 2n ** 64n - 1n; // => true
 */
export function pictureHash(pixels: RgbaPixels): bigint {
  const widthPx = Math.min(sizePx.widthPx, pixels.widthPx);
  const heightPx = Math.min(sizePx.heightPx, pixels.heightPx);
  return differenceHash(greyCopy(pixels, { widthPx, heightPx }));
}
