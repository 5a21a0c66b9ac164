import { BIAS, RECIPROCAL, WEIGHTS, roundedMean } from './weighted-mean';

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

// Up to scale 2 a window has at most four rows: nearly every frame of a camera. All that does not change stays in registers.
function blendFourRows(entry: usize, rows: usize, length: i32, out: usize): void {
  const bias = v128.load32_splat(entry, BIAS);
  const reciprocal = v128.load32_splat(entry, RECIPROCAL);
  const firstWeights = v128.load32_splat(entry + WEIGHTS);
  const secondWeights = v128.load32_splat(entry + WEIGHTS, 4);
  let first = <usize>load<u32>(rows);
  let second = <usize>load<u32>(rows, 4);
  let third = <usize>load<u32>(rows, 8);
  let fourth = <usize>load<u32>(rows, 12);
  const end = out + 2 * length;
  for (; out < end; out += 16, first += 16, second += 16, third += 16, fourth += 16) {
    const a = v128.load(first);
    const b = v128.load(second);
    const c = v128.load(third);
    const d = v128.load(fourth);
    const lowAb = i32x4.dot_i16x8_s(lowHalf(a, b), firstWeights);
    const lowCd = i32x4.dot_i16x8_s(lowHalf(c, d), secondWeights);
    const highAb = i32x4.dot_i16x8_s(highHalf(a, b), firstWeights);
    const highCd = i32x4.dot_i16x8_s(highHalf(c, d), secondWeights);
    const low = roundedMean(i32x4.add(i32x4.add(lowAb, lowCd), bias), reciprocal);
    const high = roundedMean(i32x4.add(i32x4.add(highAb, highCd), bias), reciprocal);
    v128.store(out, i16x8.narrow_i32x4_u(low, high));
  }
}

function blendAnyRows(entry: usize, rows: usize, tapPairs: i32, length: i32, out: usize): void {
  const bias = v128.load32_splat(entry, BIAS);
  const reciprocal = v128.load32_splat(entry, RECIPROCAL);
  const bytes: usize = 2 * length;
  for (let at: usize = 0; at < bytes; at += 16) {
    let low = bias;
    let high = bias;
    for (let pair = 0; pair < tapPairs; pair++) {
      const upper = v128.load(<usize>load<u32>(rows + 8 * pair) + at);
      const lower = v128.load(<usize>load<u32>(rows + 8 * pair, 4) + at);
      const weights = v128.load32_splat(entry + WEIGHTS + 4 * pair);
      low = i32x4.add(low, i32x4.dot_i16x8_s(lowHalf(upper, lower), weights));
      high = i32x4.add(high, i32x4.dot_i16x8_s(highHalf(upper, lower), weights));
    }
    v128.store(out + at, i16x8.narrow_i32x4_u(roundedMean(low, reciprocal), roundedMean(high, reciprocal)));
  }
}

/**
 * Blends the rows of one window into one row of the same planes of i16: the vertical pass.
 * `rows` lists the addresses of its rows, two for each of `tapPairs`; `length` (i16 a row) is a multiple of 8.
 */
export function blendRows(entry: usize, rows: usize, tapPairs: i32, length: i32, out: usize): void {
  if (tapPairs == 2) blendFourRows(entry, rows, length, out);
  else blendAnyRows(entry, rows, tapPairs, length, out);
}
