import { filterAxis, pickSamples, type LineWeights, type Raster } from './raster.ts';

export type PillowFilter = 'nearest' | 'box' | 'bilinear' | 'hamming' | 'bicubic' | 'lanczos';

interface Kernel {
  /** how far it reaches, in samples of the larger side */
  readonly support: number;
  readonly at: (x: number) => number;
}

const sinc = (x: number) => (x === 0 ? 1 : Math.sin(x * Math.PI) / (x * Math.PI));

/** The kernels of Pillow's Resample.c. */
const kernels: Readonly<Record<Exclude<PillowFilter, 'nearest'>, Kernel>> = {
  box: { support: 0.5, at: (x) => (x > -0.5 && x <= 0.5 ? 1 : 0) },
  bilinear: { support: 1, at: (x) => Math.max(0, 1 - Math.abs(x)) },
  hamming: {
    support: 1,
    at: (x) => (x === 0 ? 1 : Math.abs(x) >= 1 ? 0 : sinc(x) * (0.54 + 0.46 * Math.cos(Math.PI * x))),
  },
  bicubic: { support: 2, at: (x) => cubic(Math.abs(x), -0.5) },
  lanczos: { support: 3, at: (x) => (x >= -3 && x < 3 ? sinc(x) * sinc(x / 3) : 0) },
};

/** Keys' cubic kernel of a distance 0..2. */
export function cubic(x: number, a: number): number {
  if (x < 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  return x < 2 ? (((x - 5) * x + 8) * x - 4) * a : 0;
}

/** A weight is a whole number out of 2²². */
const precision = 2 ** 22;

/**
 * Resizes as Pillow's `Image.resize` does: antialiased, one axis after the other, with weights of 22 bits, rounded to bytes between.
 * Source: libImaging/Resample.c; nearest: Geometry.c.
 * @param source bytes
 * @param widthPx of the result
 * @param heightPx of the result
 * @param filter name of the filter
 * @returns a raster of that size, equal to Pillow's to the sample
 * @example
 * const source = { widthPx: 2, heightPx: 1, channels: 1, samples: Uint8ClampedArray.of(0, 100) };
 * [...resizeAsPillow(source, 4, 1, 'bilinear').samples]; // => [0, 25, 75, 100]
 */
export function resizeAsPillow(source: Raster, widthPx: number, heightPx: number, filter: PillowFilter): Raster {
  if (filter === 'nearest')
    return pickSamples(source, nearest(source.widthPx, widthPx), nearest(source.heightPx, heightPx));
  let raster = source;
  // Pillow 13 begins with the rows where they lose more than twice what the columns lose; earlier ones always begin with the columns.
  const rowsFirst = heightPx < source.heightPx && source.heightPx - heightPx > 2 * (source.widthPx - widthPx);
  for (const axis of rowsFirst ? (['rows', 'columns'] as const) : (['columns', 'rows'] as const))
    raster = filtered(raster, axis, axis === 'columns' ? widthPx : heightPx, kernels[filter]);
  return raster;
}

function filtered(raster: Raster, axis: 'columns' | 'rows', to: number, { support, at }: Kernel): Raster {
  const from = axis === 'columns' ? raster.widthPx : raster.heightPx;
  if (from === to) return raster;
  const size = axis === 'columns' ? { ...raster, widthPx: to } : { ...raster, heightPx: to };
  const samples = new Uint8ClampedArray(size.widthPx * size.heightPx * size.channels);
  filterAxis(raster, axis, wholeWeights(reachingWeights(from, to, support, at)), samples, toByte);
  return { ...size, samples };
}

const toByte = (sum: number) => Math.floor((sum + precision / 2) / precision);

/** The place is added up, as Pillow does, so that it strays by the last bits as there. */
function nearest(from: number, to: number): Int32Array {
  const scale = from / to;
  const places = new Int32Array(to);
  for (let at = 0, place = scale * 0.5; at < to; at++, place += scale) places[at] = Math.floor(place);
  return places;
}

/** Weights of a kernel that reaches farther where the picture shrinks; they add up to 1. */
export function reachingWeights(from: number, to: number, support: number, kernel: (x: number) => number): LineWeights {
  const scale = from / to;
  const stretch = Math.max(1, scale);
  const reach = support * stretch;
  const taps = Math.ceil(reach) * 2 + 1;
  const source = new Int32Array(to * taps);
  const weights = new Float64Array(to * taps);
  for (let place = 0; place < to; place++) {
    const centre = (place + 0.5) * scale;
    const first = Math.max(0, Math.trunc(centre - reach + 0.5));
    const count = Math.min(from, Math.trunc(centre + reach + 0.5)) - first;
    let total = 0;
    const inverse = 1 / stretch;
    for (let tap = 0; tap < count; tap++) {
      const weight = kernel((tap + first - centre + 0.5) * inverse);
      source[place * taps + tap] = first + tap;
      weights[place * taps + tap] = weight;
      total += weight;
    }
    if (total !== 0) for (let tap = 0; tap < count; tap++) weights[place * taps + tap]! /= total;
  }
  return { count: to, taps, source, weights };
}

function wholeWeights({ weights, ...line }: LineWeights): LineWeights {
  return { ...line, weights: weights.map((weight) => Math.trunc(weight * precision + (weight < 0 ? -0.5 : 0.5))) };
}
