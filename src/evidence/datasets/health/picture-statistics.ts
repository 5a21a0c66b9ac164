import type { GreyImage } from './difference-hash.ts';

/** What a picture looks like in numbers, measured on a grey copy of one stated size. */
export interface PictureStatistics {
  /** mean grey level, 0..1 */
  readonly brightness: number;
  /** standard deviation of the grey levels, 0..0.5 */
  readonly contrast: number;
  /**
   * variance of the Laplacian, in grey levels 0..255 squared: low where the picture is blurred (Pech-Pacheco et al.,
   * Diatom autofocusing in brightfield microscopy, 2000)
   */
  readonly sharpness: number;
}

/** Longer side of the copy that is measured: sharpness depends on it, so it is the same for every picture. */
const measuredSidePx = 256;

/**
 * @param picture its size in pixels
 * @returns the size of the copy that `pictureStatistics` measures: the same shape, its longer side 256 px, or as it is
 *   where it is smaller
 * @example
 * measuredSize({ widthPx: 1024, heightPx: 512 }); // => { widthPx: 256, heightPx: 128 }
 */
export function measuredSize({ widthPx, heightPx }: { readonly widthPx: number; readonly heightPx: number }): {
  readonly widthPx: number;
  readonly heightPx: number;
} {
  const scale = Math.min(1, measuredSidePx / Math.max(widthPx, heightPx));
  const side = (px: number): number => Math.max(Math.min(px, 3), Math.round(px * scale));
  return { widthPx: side(widthPx), heightPx: side(heightPx) };
}

/**
 * Measures brightness, contrast and sharpness.
 *
 * @param grey of `measuredSize`, levels 0..255; there is no sharpness below 3×3 px
 * @returns the three numbers
 * @example
 * pictureStatistics({ widthPx: 3, heightPx: 3, samples: new Uint8Array(9).fill(51) });
 * // => { brightness: 0.2, contrast: 0, sharpness: 0 }
 */
export function pictureStatistics({ widthPx, heightPx, samples }: GreyImage): PictureStatistics {
  const level = new Moments();
  const laplacian = new Moments();
  for (let y = 0; y < heightPx; y++) {
    for (let x = 0; x < widthPx; x++) {
      const at = y * widthPx + x;
      level.add(samples[at]!);
      if (x === 0 || y === 0 || x === widthPx - 1 || y === heightPx - 1) continue;
      const around = samples[at - 1]! + samples[at + 1]! + samples[at - widthPx]! + samples[at + widthPx]!;
      laplacian.add(around - 4 * samples[at]!);
    }
  }
  return {
    brightness: level.mean / 255,
    contrast: Math.sqrt(level.variance) / 255,
    sharpness: widthPx < 3 || heightPx < 3 ? 0 : laplacian.variance,
  };
}

/** Mean and variance in one pass, without cancellation (Welford 1962). */
class Moments {
  #count = 0;
  #squares = 0;
  mean = 0;

  add(value: number): void {
    const apart = value - this.mean;
    this.mean += apart / ++this.#count;
    this.#squares += apart * (value - this.mean);
  }

  get variance(): number {
    return this.#squares / this.#count;
  }
}
