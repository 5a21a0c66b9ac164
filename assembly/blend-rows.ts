import { wholeFloats } from './kept-constants';
import { Normalization, normalized } from './normalization';
import { BIAS, RECIPROCAL, WEIGHTS, roundedFloatMean, roundedMean } from './weighted-mean';

/** How means are stored: as they are in i16, or normalized in float32. */
const INTEGERS: i32 = 0;
const CENTRED: i32 = 1;
const DIVIDED: i32 = 2;

// @ts-ignore: decorator
@inline
function lowHalf(upper: v128, lower: v128): v128 {
  return v128.shuffle<i16>(upper, lower, 0, 8, 1, 9, 2, 10, 3, 11);
}

// @ts-ignore: decorator
@inline
function highHalf(upper: v128, lower: v128): v128 {
  return v128.shuffle<i16>(upper, lower, 4, 12, 5, 13, 6, 14, 7, 15);
}

// Eight columns at a time. `pairs` and `form` are known where this is inlined, but for windows of more than four rows; and the first four
// addresses stay in registers, as all does that never changes.
// @ts-ignore: decorator
@inline
function blendColumns(
  entry: usize,
  rows: usize,
  pairs: i32,
  from: usize,
  length: i32,
  by: Normalization,
  form: i32,
  out: usize,
): void {
  const bias = v128.load32_splat(entry, BIAS);
  const reciprocal = v128.load32_splat(entry, RECIPROCAL);
  const shift = wholeFloats();
  const firstWeights = v128.load32_splat(entry, WEIGHTS);
  const secondWeights = pairs > 1 ? v128.load32_splat(entry, WEIGHTS + 4) : firstWeights;
  const isFloat = form != INTEGERS;
  const high = f32x4.splat(isFloat ? by.high : 0);
  const low = f32x4.splat(isFloat ? by.low : 0);
  const mean = f32x4.splat(isFloat ? by.mean : 0);
  const stdDev = f32x4.splat(isFloat ? by.stdDev : 0);
  const first = <usize>load<u32>(rows);
  const second = <usize>load<u32>(rows, 4);
  const third = pairs > 1 ? <usize>load<u32>(rows, 8) : 0;
  const fourth = pairs > 1 ? <usize>load<u32>(rows, 12) : 0;
  const end = from + 2 * length;
  for (let at = from; at < end; at += 16) {
    const a = v128.load(first + at);
    const b = v128.load(second + at);
    let left = i32x4.add(i32x4.dot_i16x8_s(lowHalf(a, b), firstWeights), bias);
    let right = i32x4.add(i32x4.dot_i16x8_s(highHalf(a, b), firstWeights), bias);
    if (pairs > 1) {
      const c = v128.load(third + at);
      const d = v128.load(fourth + at);
      left = i32x4.add(left, i32x4.dot_i16x8_s(lowHalf(c, d), secondWeights));
      right = i32x4.add(right, i32x4.dot_i16x8_s(highHalf(c, d), secondWeights));
    }
    for (let pair = 2; pair < pairs; pair++) {
      const upper = v128.load(<usize>load<u32>(rows + 8 * pair) + at);
      const lower = v128.load(<usize>load<u32>(rows + 8 * pair, 4) + at);
      const weights = v128.load32_splat(entry + 4 * pair, WEIGHTS);
      left = i32x4.add(left, i32x4.dot_i16x8_s(lowHalf(upper, lower), weights));
      right = i32x4.add(right, i32x4.dot_i16x8_s(highHalf(upper, lower), weights));
    }
    if (isFloat) {
      v128.store(out, normalized(roundedFloatMean(left, reciprocal, shift), high, low, mean, stdDev, form == DIVIDED));
      v128.store(out, normalized(roundedFloatMean(right, reciprocal, shift), high, low, mean, stdDev, form == DIVIDED), 16);
      out += 32;
    } else {
      v128.store(out, i16x8.narrow_i32x4_u(roundedMean(left, reciprocal, shift), roundedMean(right, reciprocal, shift)));
      out += 16;
    }
  }
}

// @ts-ignore: decorator
@inline
function blend(
  entry: usize,
  rows: usize,
  pairs: i32,
  from: usize,
  length: i32,
  by: Normalization,
  form: i32,
  out: usize,
): void {
  if (pairs == 1) blendColumns(entry, rows, 1, from, length, by, form, out);
  else if (pairs == 2) blendColumns(entry, rows, 2, from, length, by, form, out);
  else blendColumns(entry, rows, pairs, from, length, by, form, out);
}

/** Pairs of a window's rows up to the last that weighs anything: up to scale 2 at most two, and with nearly every camera mostly one. */
// @ts-ignore: decorator
@inline
function weighedPairs(entry: usize, tapPairs: i32): i32 {
  let pairs = tapPairs;
  while (pairs > 1 && load<i32>(entry + 4 * pairs, WEIGHTS - 4) == 0) pairs--;
  return pairs;
}

/**
 * Blends the rows of one window into one row of the same planes of i16: the vertical pass.
 * `rows` lists the addresses of its rows, two for each of `tapPairs`; `length` (i16 a row) is a multiple of 8.
 */
export function blendRows(entry: usize, rows: usize, tapPairs: i32, length: i32, out: usize): void {
  const pairs = weighedPairs(entry, tapPairs);
  blend(entry, rows, pairs, 0, length, changetype<Normalization>(0), INTEGERS, out);
}

// A function for each form: as arms of one condition they would be folded to one loop, which decides in each round.
function blendCentred(
  entry: usize,
  rows: usize,
  pairs: i32,
  from: usize,
  length: i32,
  by: Normalization,
  out: usize,
): void {
  blend(entry, rows, pairs, from, length, by, CENTRED, out);
}

function blendDivided(
  entry: usize,
  rows: usize,
  pairs: i32,
  from: usize,
  length: i32,
  by: Normalization,
  out: usize,
): void {
  blend(entry, rows, pairs, from, length, by, DIVIDED, out);
}

/** As blendRows, of the plane that begins `from` bytes after the start of each row, into normalized float32. */
export function blendToFloats(
  entry: usize,
  rows: usize,
  tapPairs: i32,
  from: usize,
  length: i32,
  by: Normalization,
  out: usize,
): void {
  const pairs = weighedPairs(entry, tapPairs);
  if (by.divides) blendDivided(entry, rows, pairs, from, length, by, out);
  else blendCentred(entry, rows, pairs, from, length, by, out);
}
