import { toRgba8 } from './frame-formats.ts';
import type { Frame, FrameSize } from './frame.ts';

export interface FrameDifference {
  /** largest difference of red, green or blue at one pixel, in 8-bit levels (0..255) */
  readonly largestLevels: number;
  /** mean difference over all samples, in 8-bit levels */
  readonly meanLevels: number;
  /**
   * largest difference between the means of two blocks, in 8-bit levels: a block's mean hides what an encoder does
   * to single pixels
   */
  readonly blockLevels: number;
  /** the first pixel that has the largest difference */
  readonly xPx: number;
  readonly yPx: number;
  /** the difference of each pixel multiplied by `amplification`; black: equal */
  readonly picture: Frame;
}

/** Block size in pixels. JPEG compression changes the mean of a block of this size by a few levels at most. */
export const blockPx = 16;

/** How much brighter a difference is painted, so that the eye sees a single level. */
export const amplification = 8;

/**
 * Compares two frames in 8-bit levels. Alpha is ignored.
 * @param a one frame, of any format
 * @param b the other frame
 * @returns the largest and the mean difference, and a picture of them; null: the sizes differ
 * @example
 * const frame = (red: number) => ({ format: 'rgba8', widthPx: 1, heightPx: 1, samples: Uint8ClampedArray.of(red, 0, 0, 255) });
 * const { largestLevels, meanLevels } = compareFrames(frame(10), frame(16));
 * [largestLevels, meanLevels]; // => [6, 2]
 */
export function compareFrames(a: Frame, b: Frame): FrameDifference | null {
  const { widthPx, heightPx } = a;
  if (widthPx !== b.widthPx || heightPx !== b.heightPx) return null;
  const [ours, theirs] = [toRgba8(a).samples, toRgba8(b).samples];
  const samples = new Uint8ClampedArray(ours.length);
  let [sum, largest, at] = [0, 0, 0];
  for (let i = 0; i < ours.length; i++) {
    if (i % 4 === 3) {
      samples[i] = 255;
      continue;
    }
    const difference = Math.abs(ours[i]! - theirs[i]!);
    samples[i] = amplification * difference;
    sum += difference;
    if (difference <= largest) continue;
    largest = difference;
    at = i >> 2;
  }
  return {
    largestLevels: largest,
    meanLevels: sum / Math.max(1, 3 * widthPx * heightPx),
    blockLevels: largestOfBlocks(ours, theirs, a),
    xPx: at % widthPx,
    yPx: Math.floor(at / widthPx),
    picture: { format: 'rgba8', widthPx, heightPx, samples },
  };
}

function largestOfBlocks(ours: Uint8ClampedArray, theirs: Uint8ClampedArray, { widthPx, heightPx }: FrameSize): number {
  const across = Math.ceil(widthPx / blockPx);
  const sums = new Float64Array(3 * across * Math.ceil(heightPx / blockPx));
  for (let y = 0, i = 0; y < heightPx; y++) {
    const row = across * Math.floor(y / blockPx);
    for (let x = 0; x < widthPx; x++, i += 4) {
      const block = 3 * (row + Math.floor(x / blockPx));
      for (let k = 0; k < 3; k++) sums[block + k]! += ours[i + k]! - theirs[i + k]!;
    }
  }
  const sideOf = (at: number, lengthPx: number): number => Math.min(blockPx, lengthPx - at * blockPx);
  return sums.reduce((largest, sum, at) => {
    const block = Math.floor(at / 3);
    const pixels = sideOf(block % across, widthPx) * sideOf(Math.floor(block / across), heightPx);
    return Math.max(largest, Math.abs(sum) / pixels);
  }, 0);
}
