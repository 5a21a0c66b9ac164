import type { Frame } from '../frame/frame.ts';
import { convertYcbcrToRgb } from '../frame/frame-formats.ts';
import { triangleFilter, type Filter } from './triangle-filter.ts';

/**
 * Stretches the frame to the given size with an antialiased triangle filter, as packed RGB bytes on black.
 * Integer arithmetic throughout, equal to github.com/nfnt/resize (Bilinear) bit for bit: columns first, then rows, the
 * intermediate cut to the sample's own width. A frame that has the size already is not filtered.
 * @param frame pixels
 * @param widthPx of the result
 * @param heightPx of the result
 * @returns 3 · widthPx · heightPx bytes, row by row
 * @example
 * import { patternFrame } from '../frame/pattern-frame.ts';
 * stretch(patternFrame('rgba8', 8, 6), 4, 3).length; // => 36
 */
export function stretch(frame: Frame, widthPx: number, heightPx: number): Uint8ClampedArray<ArrayBuffer> {
  const bitDepth = frame.format === 'rgba16' ? 16 : 8;
  let rgb: Samples;
  if (widthPx === frame.widthPx && heightPx === frame.heightPx) {
    rgb = withoutAlpha(frame, premultiplyUnfiltered);
  } else {
    const columns = filterColumns(
      withoutAlpha(frame, premultiply),
      frame.widthPx,
      triangleFilter(frame.widthPx, widthPx, bitDepth),
    );
    rgb = filterRows(columns, 3 * widthPx, triangleFilter(frame.heightPx, heightPx, bitDepth));
  }
  const bytes = rgb instanceof Uint16Array ? highBytes(rgb) : rgb;
  if (frame.format === 'ycbcr8') convertYcbcrToRgb(bytes, 3);
  return bytes;
}

type Samples = Uint8ClampedArray<ArrayBuffer> | Uint16Array<ArrayBuffer>;

const samplesLike = (samples: Samples, length: number): Samples =>
  samples instanceof Uint16Array ? new Uint16Array(length) : new Uint8ClampedArray(length);

function withoutAlpha(
  { samples }: Frame,
  multiply: (sample: number, alpha: number, opaque: number) => number,
): Samples {
  const packed = samplesLike(samples, (samples.length / 4) * 3);
  const opaque = samples instanceof Uint16Array ? 0xffff : 0xff;
  for (let i = 0, o = 0; i < samples.length; i += 4) {
    const alpha = samples[i + 3]!;
    for (let k = i; k < i + 3; k++) packed[o++] = alpha === opaque ? samples[k]! : multiply(samples[k]!, alpha, opaque);
  }
  return packed;
}

const premultiply = (sample: number, alpha: number, opaque: number) => Math.floor((sample * alpha) / opaque);

// Without filtering, the machine premultiplies 8-bit samples in 16 bits (Go's color.NRGBA), which sometimes gives
// another byte.
const premultiplyUnfiltered = (sample: number, alpha: number, opaque: number) =>
  opaque === 0xff ? Math.floor((sample * 257 * alpha) / opaque) >> 8 : premultiply(sample, alpha, opaque);

function filterColumns(source: Samples, sourceWidth: number, { start, taps, weights, total }: Filter): Samples {
  const width = start.length;
  const height = source.length / 3 / sourceWidth;
  const into = samplesLike(source, 3 * width * height);
  for (let y = 0, o = 0; y < height; y++) {
    const row = 3 * y * sourceWidth;
    for (let x = 0; x < width; x++, o += 3) {
      let red = 0;
      let green = 0;
      let blue = 0;
      let w = x * taps;
      let i = row + 3 * start[x]!;
      for (let t = 0; t < taps; t++, w++, i += 3) {
        const weight = weights[w]!;
        if (weight === 0) continue; // beyond the filter's reach, perhaps beyond the row
        red += weight * source[i]!;
        green += weight * source[i + 1]!;
        blue += weight * source[i + 2]!;
      }
      const sum = total[x]!;
      into[o] = Math.floor(red / sum);
      into[o + 1] = Math.floor(green / sum);
      into[o + 2] = Math.floor(blue / sum);
    }
  }
  return into;
}

function filterRows(source: Samples, rowLength: number, { start, taps, weights, total }: Filter): Samples {
  const height = start.length;
  const into = samplesLike(source, rowLength * height);
  const sums = source instanceof Uint16Array ? new Float64Array(rowLength) : new Int32Array(rowLength);
  for (let y = 0; y < height; y++) {
    sums.fill(0);
    for (let t = 0; t < taps; t++) {
      const weight = weights[y * taps + t]!;
      if (weight === 0) continue;
      const row = (start[y]! + t) * rowLength;
      for (let i = 0; i < rowLength; i++) sums[i]! += weight * source[row + i]!;
    }
    const sum = total[y]!;
    const o = y * rowLength;
    for (let i = 0; i < rowLength; i++) into[o + i] = Math.floor(sums[i]! / sum);
  }
  return into;
}

function highBytes(samples: Uint16Array): Uint8ClampedArray<ArrayBuffer> {
  const bytes = new Uint8ClampedArray(samples.length);
  for (let i = 0; i < samples.length; i++) bytes[i] = samples[i]! >> 8;
  return bytes;
}
