import { cubic, reachingWeights } from './pillow.ts';
import { filterAxis, type LineWeights, type Raster } from './raster.ts';

/** How torchvision resizes a tensor. */
export interface TorchvisionResize {
  readonly mode: 'bilinear' | 'bicubic';
  readonly isAntialiased: boolean;
  /** the tensor has float32 numbers, not bytes: nothing is rounded or clamped */
  readonly isFloat: boolean;
}

/** How sharp its cubic kernel is, with antialias and without. */
const [softCubic, sharpCubic] = [-0.5, -0.75];

/**
 * Resizes a tensor as torchvision's `resize` does, with `antialias` or without: columns first, then rows. Bytes are rounded between, with weights of
 * up to 15 bits; floats are neither rounded nor clamped. Source: ATen/native/cpu/UpSampleKernel.cpp and UpSampleKernelAVXAntialias.h.
 * @param source bytes
 * @param widthPx of the result
 * @param heightPx of the result
 * @param how mode, antialias, and what the tensor has
 * @returns a raster of that size: bytes equal to torchvision's to the sample, floats to a thousandth of a level
 * @example
 * const source = { widthPx: 2, heightPx: 1, channels: 1, samples: Uint8ClampedArray.of(0, 100) };
 * const how = { mode: 'bilinear', isAntialiased: false, isFloat: true };
 * [...resizeAsTorchvision(source, 4, 1, how).samples]; // => [0, 25, 75, 100]
 */
export function resizeAsTorchvision(source: Raster, widthPx: number, heightPx: number, how: TorchvisionResize): Raster {
  let raster = source;
  for (const axis of ['columns', 'rows'] as const) {
    const [from, to] = axis === 'columns' ? [raster.widthPx, widthPx] : [raster.heightPx, heightPx];
    if (from === to) continue;
    const size = axis === 'columns' ? { ...raster, widthPx } : { ...raster, heightPx };
    const length = size.widthPx * size.heightPx * source.channels;
    const line = lineOf(from, to, how);
    if (how.isFloat) {
      const samples = new Float32Array(length);
      filterAxis(raster, axis, line, samples, (sum) => sum);
      raster = { ...size, samples };
    } else {
      const { precision, weights } = wholeWeights(line.weights);
      const samples = new Uint8ClampedArray(length);
      const toByte = (sum: number) => Math.floor((sum + precision / 2) / precision);
      filterAxis(raster, axis, { ...line, weights }, samples, toByte);
      raster = { ...size, samples };
    }
  }
  if (how.isFloat && raster === source) return { ...source, samples: Float32Array.from(source.samples) };
  return raster;
}

function lineOf(from: number, to: number, { mode, isAntialiased }: TorchvisionResize): LineWeights {
  const reach = mode === 'bilinear' ? 1 : 2;
  const a = isAntialiased ? softCubic : sharpCubic;
  const kernel = (x: number) => (mode === 'bilinear' ? Math.max(0, 1 - Math.abs(x)) : cubic(Math.abs(x), a));
  return isAntialiased ? reachingWeights(from, to, reach, kernel) : nearWeights(from, to, reach, kernel);
}

/** Weights of the samples next to a place, however much the picture shrinks; the edge stands for what lies beyond it. */
function nearWeights(from: number, to: number, reach: number, kernel: (x: number) => number): LineWeights {
  const taps = 2 * reach;
  const source = new Int32Array(to * taps);
  const weights = new Float64Array(to * taps);
  const scale = from / to;
  for (let at = 0; at < to; at++) {
    const unbound = (at + 0.5) * scale - 0.5;
    const place = reach === 1 ? Math.max(0, unbound) : unbound;
    const first = Math.min(Math.floor(place), from - 1);
    const behind = Math.min(Math.max(place - first, 0), 1);
    for (let tap = 0; tap < taps; tap++) {
      const index = Math.min(Math.max(0, first - reach + 1 + tap), from - 1);
      source[at * taps + tap] = index;
      weights[at * taps + tap] = kernel(tap - reach + 1 - behind);
    }
    // Weights of one sample are rounded as one.
    for (let tap = taps - 1; tap > 0; tap--) {
      const w = at * taps + tap;
      if (source[w] !== source[w - 1]) continue;
      weights[w - 1]! += weights[w]!;
      weights[w] = 0;
    }
  }
  return { count: to, taps, source, weights };
}

/** Weights as whole numbers of 16 bits, with as many bits behind the point as the largest leaves room for. */
function wholeWeights(weights: Float64Array): { readonly precision: number; readonly weights: Float64Array } {
  const largest = weights.reduce((most, weight) => Math.max(most, weight), 0);
  let bits = 0;
  while (bits < 22 && Math.trunc(0.5 + largest * 2 ** (bits + 1)) < 2 ** 15) bits++;
  const precision = 2 ** bits;
  return { precision, weights: weights.map((weight) => Math.trunc(weight * precision + (weight < 0 ? -0.5 : 0.5))) };
}
