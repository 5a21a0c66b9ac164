import { triangleFilter } from '../../machine/vision/face/feeding.ts';

/** The rows of a stretch as assembly/weighted-mean.ts reads them: an entry for each, see below. */
export interface WeightTable {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** weights an entry: an even number, the last ones 0 */
  readonly taps: number;
}

/** One output sample: what it is the mean of. */
export interface TriangleWindow {
  /** first source sample */
  readonly start: number;
  /** weights of the first sample and those that follow, up to the last that is not 0 */
  readonly weights: Int32Array;
  readonly sum: number;
}

/** Sums of weights from here on could round the kernel's mean to the wrong side (assembly/weighted-mean.ts has the bound). */
export const weightSumLimit = 2 ** 14;

const headBytes = 12;

/** The reference's windows of one axis, without the weights of 0 at their ends. */
export function triangleWindows(sourceLength: number, length: number): readonly TriangleWindow[] {
  const filter = triangleFilter(sourceLength, length, 8);
  return Array.from(filter.total, (sum, i) => {
    const weights = filter.weights.subarray(i * filter.taps, (i + 1) * filter.taps);
    const first = weights.findIndex((weight) => weight !== 0);
    const last = weights.findLastIndex((weight) => weight !== 0);
    return { sum, start: filter.start[i]! + first, weights: weights.subarray(first, last + 1) };
  });
}

/**
 * Encodes the reference's rows for the kernel. An entry is: window start (i32), 1 − S (i32), 1/(2S) (f32), then 2·w (i16) for `taps`
 * samples, where S = Σw.
 * @returns null where a sum of weights reaches weightSumLimit
 */
export function encodeRows(sourceLength: number, length: number): WeightTable | null {
  const windows = triangleWindows(sourceLength, length);
  if (windows.some(({ sum }) => sum >= weightSumLimit)) return null;
  const longest = windows.reduce((most, { weights }) => Math.max(most, weights.length), 1);
  const taps = 2 * Math.ceil(longest / 2);
  const entryBytes = headBytes + 2 * taps;
  const bytes = new Uint8Array(length * entryBytes);
  const view = new DataView(bytes.buffer);
  windows.forEach(({ sum, start, weights }, i) => {
    const entry = i * entryBytes;
    view.setInt32(entry, start, true);
    view.setInt32(entry + 4, 1 - sum, true);
    view.setFloat32(entry + 8, 1 / (2 * sum), true);
    weights.forEach((weight, tap) => view.setInt16(entry + headBytes + 2 * tap, 2 * weight, true));
  });
  return { bytes, taps };
}
