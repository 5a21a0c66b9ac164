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

/** Where a sample lies in memory: lines are rows or columns of one channel. */
interface Lines {
  readonly lineCount: number;
  /** first sample of a line, in the source and in what is made of it */
  readonly from: (line: number) => number;
  readonly to: (line: number) => number;
  readonly fromStep: number;
  readonly toStep: number;
}

/** How a weighted sum is made into a sample. */
type SumTo = (sum: number) => number;

/**
 * Filters all lines along one axis.
 * @param samples of the source
 * @param size of the source, in pixels
 * @param weights of the axis
 * @param into an array of the size after it
 * @param toSample from the weighted sum; it may clamp and round
 */
export function filterAxis(
  { widthPx, heightPx, channels, samples }: Raster,
  axis: 'columns' | 'rows',
  { count, taps, source, weights }: LineWeights,
  into: Uint8ClampedArray | Float32Array,
  toSample: SumTo,
  add: (sum: number, product: number) => number = (sum, product) => sum + product,
): void {
  const { lineCount, from, to, fromStep, toStep } =
    axis === 'columns' ? rowLines(widthPx, heightPx, channels, count) : columnLines(widthPx, channels);
  for (let line = 0; line < lineCount; line++) {
    const first = from(line);
    for (let place = 0, o = to(line); place < count; place++, o += toStep) {
      let sum = 0;
      for (let tap = 0, w = place * taps; tap < taps; tap++, w++)
        sum = add(sum, weights[w]! * samples[first + source[w]! * fromStep]!);
      into[o] = toSample(sum);
    }
  }
}

/** Lines along x: one a row and channel. */
function rowLines(widthPx: number, heightPx: number, channels: number, intoWidth: number): Lines {
  return {
    lineCount: heightPx * channels,
    from: (line) => Math.floor(line / channels) * widthPx * channels + (line % channels),
    to: (line) => Math.floor(line / channels) * intoWidth * channels + (line % channels),
    fromStep: channels,
    toStep: channels,
  };
}

/** Lines along y: one a column and channel. */
function columnLines(widthPx: number, channels: number): Lines {
  const row = widthPx * channels;
  return { lineCount: row, from: (line) => line, to: (line) => line, fromStep: row, toStep: row };
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
