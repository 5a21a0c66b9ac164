/** Samples of a picture, its channels side by side, row by row. */
export interface Raster {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly channels: number;
  /** levels 0..255: whole in bytes; a float32 array has what lies between them, and bicubic kernels go beyond */
  readonly samples: Uint8ClampedArray | Float32Array;
}

/** What each sample of a resized line is made of: source samples and their weights, `taps` of each to a place. */
export interface LineWeights {
  readonly count: number;
  readonly taps: number;
  readonly source: Int32Array;
  readonly weights: Float64Array;
}

/** How a weighted sum is made into a sample. */
type SumTo = (sum: number) => number;

/**
 * Filters all lines along one axis. Samples that have the same weight (the channels of a pixel, or those of a whole row) lie side by side and are summed together.
 * @param raster the source
 * @param axis the axis that is filtered
 * @param line weights of the axis
 * @param into an array of the size after it
 * @param toSample from the weighted sum; it may clamp and round
 * @param add how a product is added to the sum; default: plain addition
 */
export function filterAxis(
  { widthPx, heightPx, channels, samples }: Raster,
  axis: 'columns' | 'rows',
  { count, taps, source, weights }: LineWeights,
  into: Uint8ClampedArray | Float32Array,
  toSample: SumTo,
  add: ((sum: number, product: number) => number) | null = null,
): void {
  const row = widthPx * channels;
  const [length, blocks] = axis === 'columns' ? [channels, heightPx] : [row, 1];
  const sums = new Float64Array(length);
  for (let block = 0, o = 0; block < blocks; block++) {
    for (let place = 0; place < count; place++) {
      sums.fill(0);
      for (let tap = 0, w = place * taps; tap < taps; tap++, w++) {
        const weight = weights[w]!;
        if (weight === 0) continue;
        const from = block * row + source[w]! * length;
        if (add) for (let i = 0; i < length; i++) sums[i] = add(sums[i]!, weight * samples[from + i]!);
        else for (let i = 0; i < length; i++) sums[i]! += weight * samples[from + i]!;
      }
      for (let i = 0; i < length; i++) into[o++] = toSample(sums[i]!);
    }
  }
}

/** A raster with each sample taken from one of the source's. */
export function pickSamples(source: Raster, columns: ArrayLike<number>, rows: ArrayLike<number>): Raster {
  const { widthPx, channels, samples } = source;
  const [width, height] = [columns.length, rows.length];
  const into = samplesLike(samples, width * height * channels);
  for (let y = 0, o = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = (rows[y]! * widthPx + columns[x]!) * channels;
      for (let channel = 0; channel < channels; channel++) into[o++] = samples[i + channel]!;
    }
  }
  return { widthPx: width, heightPx: height, channels, samples: into };
}

function samplesLike(samples: Raster['samples'], length: number): Raster['samples'] {
  return samples instanceof Float32Array ? new Float32Array(length) : new Uint8ClampedArray(length);
}
