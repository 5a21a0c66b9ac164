import { triangleFilter } from '../vision/preprocess/triangle-filter.ts';

/** One axis of a stretch as assembly/weighted-mean.ts reads it: an entry for each output sample, see below. */
export interface WeightTable {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** weights an entry: a multiple of what the kernel reads at a time, the last ones 0 */
  readonly taps: number;
}

/** Sums of weights from here on could round the kernel's mean to the wrong side (assembly/weighted-mean.ts has the bound). */
export const weightSumLimit = 2 ** 14;

const headBytes = 12;

/**
 * Encodes the reference's weights for the kernel; the last entry is repeated up to `entryCount`. An entry is: window start · startUnit
 * (i32), 1 − S (i32), 1/(2S) (f32), then 2·w (i16) for `taps` samples, where S = Σw.
 * @returns null where a sum of weights reaches weightSumLimit
 */
export function encodeWeights(
  sourceLength: number,
  length: number,
  { entryCount, tapMultiple, startUnit }: { entryCount: number; tapMultiple: number; startUnit: number },
): WeightTable | null {
  const filter = triangleFilter(sourceLength, length, 8);
  if (filter.total.some((sum) => sum >= weightSumLimit)) return null;
  const windows = Array.from(filter.total, (sum, i) => {
    const weights = filter.weights.subarray(i * filter.taps, (i + 1) * filter.taps);
    const first = weights.findIndex((weight) => weight !== 0);
    const last = weights.findLastIndex((weight) => weight !== 0);
    return { sum, start: filter.start[i]! + first, weights: weights.subarray(first, last + 1) };
  });
  const longest = windows.reduce((most, { weights }) => Math.max(most, weights.length), 1);
  const taps = Math.ceil(longest / tapMultiple) * tapMultiple;
  const entryBytes = headBytes + 2 * taps;
  const bytes = new Uint8Array(entryCount * entryBytes);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < entryCount; i++) {
    const { sum, start, weights } = windows[Math.min(i, length - 1)]!;
    const entry = i * entryBytes;
    view.setInt32(entry, start * startUnit, true);
    view.setInt32(entry + 4, 1 - sum, true);
    view.setFloat32(entry + 8, 1 / (2 * sum), true);
    weights.forEach((weight, tap) => view.setInt16(entry + headBytes + 2 * tap, 2 * weight, true));
  }
  return { bytes, taps };
}
