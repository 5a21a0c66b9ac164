import { toRgba8 } from './frame-formats.ts';
import type { Frame, FrameSize } from './frame.ts';

export interface FrameDifference {
  /** of red, green or blue of one pixel, 0..255 */
  readonly largestLevels: number;
  /** of all of them */
  readonly meanLevels: number;
  /** of the means of a block, the largest: what an encoder does to single pixels is not in it */
  readonly blockLevels: number;
  /** the first pixel with the largest one */
  readonly xPx: number;
  readonly yPx: number;
  /** how far apart both are, `amplification` times, black = equal */
  readonly picture: Frame;
}

/** An encoder of JPEG leaves the mean of so large a block as it was, but for some levels. */
export const blockPx = 16;

/** An eye sees a level no more than this much brighter. */
export const amplification = 8;

/** How far two frames are apart, in 8-bit levels; null where their sizes differ. Alpha does not count. */
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
    ...{ xPx: at % widthPx, yPx: Math.floor(at / widthPx) },
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
