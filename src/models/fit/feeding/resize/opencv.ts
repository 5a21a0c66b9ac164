import { resizeByArea, wholeShrinking } from './opencv-area.ts';
import { resizeAsTorchvision } from './torchvision.ts';
import { roundHalfEven } from './round-half-even.ts';
import { filterAxis, pickSamples, type LineWeights, type Raster } from './raster.ts';

export type OpencvInterpolation = 'nearest' | 'linear' | 'cubic' | 'area' | 'lanczos4';

const f32 = Math.fround;
/** A weight is a whole number out of 2¹¹. */
const precision = 2 ** 11;

/**
 * Resizes as `cv2.resize` does with bytes: without antialias, but for `area`; most with weights of 11 bits. Source: modules/imgproc/src/resize.cpp.
 * @param source bytes
 * @param widthPx of the result
 * @param heightPx of the result
 * @param interpolation OpenCV's `INTER_…`
 * @returns a raster of that size, equal to OpenCV's to the sample
 * @example
 * const source = { widthPx: 2, heightPx: 1, channels: 1, samples: Uint8ClampedArray.of(0, 100) };
 * [...resizeAsOpencv(source, 4, 1, 'linear').samples]; // => [0, 25, 75, 100]
 */
export function resizeAsOpencv(
  source: Raster,
  widthPx: number,
  heightPx: number,
  interpolation: OpencvInterpolation,
): Raster {
  if (source.widthPx === widthPx && source.heightPx === heightPx) return source;
  const places = (from: number, to: number) => nearest(from, to);
  if (interpolation === 'nearest')
    return pickSamples(source, places(source.widthPx, widthPx), places(source.heightPx, heightPx));
  const shrinks = source.widthPx >= widthPx && source.heightPx >= heightPx;
  const whole = wholeShrinking(source, widthPx, heightPx);
  if (interpolation === 'area' && shrinks) return resizeByArea(source, widthPx, heightPx);
  if (interpolation === 'linear' && whole?.columns === 2 && whole.rows === 2)
    return resizeByArea(source, widthPx, heightPx);
  if (interpolation === 'cubic') return roundedCubic(source, widthPx, heightPx);
  const line = lineOf[interpolation];
  const [columns, rows] = [line(source.widthPx, widthPx, true), line(source.heightPx, heightPx, false)];
  return interpolation === 'lanczos4' ? eightTaps(source, columns, rows) : twoTaps(source, columns, rows);
}

/** OpenCV’s own packages compute a cubic of 4×4 pixels and more by Intel’s library, without fixed-point weights: as torchvision does, rounded once. */
function roundedCubic(source: Raster, widthPx: number, heightPx: number): Raster {
  const how = { mode: 'bicubic', isAntialiased: false, isFloat: true } as const;
  const cubic = resizeAsTorchvision(source, widthPx, heightPx, how);
  return { ...cubic, samples: Uint8ClampedArray.from(cubic.samples, roundHalfEven) };
}

function nearest(from: number, to: number): Int32Array {
  const scale = 1 / (to / from);
  return Int32Array.from({ length: to }, (_, at) => Math.min(Math.floor(at * scale), from - 1));
}

/** Weights of an axis as OpenCV computes them; `clamps`: a line beside the picture is not blended in (columns). */
type LineOf = (from: number, to: number, clamps: boolean) => LineWeights;

const lineOf: Readonly<Record<Exclude<OpencvInterpolation, 'nearest' | 'cubic'>, LineOf>> = {
  linear: (from, to, clamps) => taps(from, to, 2, (at) => centred(from, to, at), linear, clamps),
  area: (from, to, clamps) => taps(from, to, 2, (at) => areaPlace(from, to, at), linear, clamps),
  lanczos4: (from, to) => taps(from, to, 8, (at) => centred(from, to, at), lanczos4, false),
};

interface Place {
  readonly first: number;
  /** 0..1, how far the place lies behind `first`; float32 */
  readonly behind: number;
}

function centred(from: number, to: number, at: number): Place {
  const place = f32((at + 0.5) * (1 / (to / from)) - 0.5);
  const first = Math.floor(place);
  return { first, behind: f32(place - first) };
}

/** The place by `INTER_AREA` where the picture grows. */
function areaPlace(from: number, to: number, at: number): Place {
  const inverse = to / from;
  const scale = 1 / inverse;
  const first = Math.floor(at * scale);
  const behind = f32(at + 1 - (first + 1) * inverse);
  return { first, behind: behind <= 0 ? 0 : f32(behind - Math.floor(behind)) };
}

function taps(
  from: number,
  to: number,
  count: number,
  placeOf: (at: number) => Place,
  weightsOf: (behind: number) => readonly number[],
  clamps: boolean,
): LineWeights {
  const before = count / 2 - 1;
  const source = new Int32Array(to * count);
  const weights = new Float64Array(to * count);
  for (let at = 0; at < to; at++) {
    let { first, behind } = placeOf(at);
    if (clamps && first < 0) [first, behind] = [0, 0];
    if (clamps && first >= from - 1) [first, behind] = [from - 1, 0];
    for (const [tap, weight] of weightsOf(behind).entries()) {
      source[at * count + tap] = Math.min(Math.max(0, first - before + tap), from - 1);
      weights[at * count + tap] = roundHalfEven(f32(weight * precision));
    }
  }
  return { count: to, taps: count, source, weights };
}

const linear = (behind: number) => [f32(1 - behind), behind];

const halfRoot = Math.SQRT1_2;
/** Sine and cosine of the eight places, which lie an eighth of a turn apart. */
const turns = [[1, 0], [-halfRoot, -halfRoot], [0, 1], [halfRoot, -halfRoot], [-1, 0], [halfRoot, halfRoot], [0, -1], [-halfRoot, halfRoot]] as const; // prettier-ignore

function lanczos4(x: number): readonly number[] {
  const quarter = Math.PI * 0.25;
  const angle = -f32(x + 3) * quarter;
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
  const weights = turns.map(([ofSine, ofCosine], at) => {
    const apart = f32(f32(x + 3) - at);
    const y = -apart * quarter;
    return Math.abs(apart) >= 1e-6 ? f32((ofSine * sine + ofCosine * cosine) / (y * y)) : f32(1e30);
  });
  const total = f32(1 / weights.reduce((sum, weight) => f32(sum + weight), 0));
  return weights.map((weight) => f32(weight * total));
}

/** Sums of columns lose four bits before rows are blended, and the two rows' sums sixteen more each, as 16-bit multiplication does. */
function twoTaps(source: Raster, columns: LineWeights, rows: LineWeights): Raster {
  const { wide, widthPx, heightPx } = blendedColumns(source, columns, rows);
  const { channels } = source;
  const samples = new Uint8ClampedArray(widthPx * heightPx * channels);
  const cut = { ...wide, samples: wide.samples.map((sum) => Math.floor(sum / 16)) };
  filterAxis(cut, 'rows', rows, samples, (sum) => Math.floor((sum + 2) / 4), addCut);
  return { widthPx, heightPx, channels, samples };
}

const addCut = (sum: number, product: number) => sum + Math.floor(product / 65536);

function eightTaps(source: Raster, columns: LineWeights, rows: LineWeights): Raster {
  const { wide, widthPx, heightPx } = blendedColumns(source, columns, rows);
  const { channels } = source;
  const samples = new Uint8ClampedArray(widthPx * heightPx * channels);
  const whole = precision * precision;
  filterAxis(wide, 'rows', rows, samples, (sum) => Math.floor((sum + whole / 2) / whole));
  return { widthPx, heightPx, channels, samples };
}

/** Sums of whole weights stay below 2²⁴, so that float32 holds them. */
function blendedColumns(source: Raster, columns: LineWeights, rows: LineWeights) {
  const [widthPx, heightPx] = [columns.count, rows.count];
  const wide = { ...source, widthPx, samples: new Float32Array(widthPx * source.heightPx * source.channels) };
  filterAxis(source, 'columns', columns, wide.samples, (sum) => sum);
  return { wide, widthPx, heightPx };
}
