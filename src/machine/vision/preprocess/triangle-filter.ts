/** One axis of a resampling: sample i is Σ weights[i·taps + t] · source[start[i] + t] / total[i]. */
export interface Filter {
  readonly taps: number;
  /** first source sample; never below 0. Past the last source sample all weights are 0. */
  readonly start: Int32Array;
  readonly weights: Int32Array;
  readonly total: Int32Array;
}

/**
 * Computes the weights of a triangle filter that widens with the scale when shrinking, truncated to 1/256 (8-bit
 * samples) or 1/65536 (16-bit samples). Weights beyond an edge are added to the edge sample's weight.
 * @param sourceLength samples before, 1 or more
 * @param length samples after, 1 or more
 * @param bitDepth of the samples
 * @returns for each new sample its first source sample, weights and their total
 * @example
 * const { taps, start, weights, total } = triangleFilter(2, 1, 8);
 * [taps, ...start]; // => [4, 0]
 * [...weights.subarray(0, 2)]; // => [256, 256]
 * [...total]; // => [512]
 */
export function triangleFilter(sourceLength: number, length: number, bitDepth: 8 | 16): Filter {
  const one = 2 ** bitDepth;
  const scale = sourceLength / length;
  const taps = 2 * Math.max(Math.ceil(scale), 1);
  const sharpness = Math.min(1 / scale, 1);
  const start = new Int32Array(length);
  const weights = new Int32Array(length * taps);
  const total = new Int32Array(length);
  for (let i = 0; i < length; i++) {
    const centre = scale * (i + 0.5) - 0.5;
    const unclamped = Math.trunc(centre) - taps / 2 + 1;
    const first = Math.max(unclamped, 0);
    start[i] = first;
    for (let t = 0; t < taps; t++) {
      const distance = Math.abs((centre - unclamped - t) * sharpness);
      const weight = distance <= 1 ? Math.trunc((1 - distance) * one) : 0;
      const sample = Math.min(Math.max(unclamped + t, 0), sourceLength - 1);
      weights[i * taps + sample - first]! += weight;
      total[i]! += weight;
    }
  }
  return { taps, start, weights, total };
}
