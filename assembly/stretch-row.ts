import { BIAS, RECIPROCAL, WEIGHTS, roundedMean } from './weighted-mean';

// Four RGBA pixels hold two pairs; a pair becomes r0 r1 g0 g1 b0 b1 a0 a1 in 16 bits, ready for a dot product with w0 w1.
// @ts-ignore: decorator
@inline
function firstPair(pixels: v128): v128 {
  return i8x16.swizzle(pixels, i8x16(0, -1, 4, -1, 1, -1, 5, -1, 2, -1, 6, -1, 3, -1, 7, -1));
}
// @ts-ignore: decorator
@inline
function secondPair(pixels: v128): v128 {
  return i8x16.swizzle(pixels, i8x16(8, -1, 12, -1, 9, -1, 13, -1, 10, -1, 14, -1, 11, -1, 15, -1));
}

// @ts-ignore: decorator
@inline
function fourTaps(pixels: v128, weights: usize): v128 {
  return i32x4.add(
    i32x4.dot_i16x8_s(firstPair(pixels), v128.load32_splat(weights)),
    i32x4.dot_i16x8_s(secondPair(pixels), v128.load32_splat(weights, 4)),
  );
}

// @ts-ignore: decorator
@inline
function stretchedPixel(row: usize, entry: usize, tapGroups: i32): v128 {
  let source = row + load<i32>(entry);
  let weights = entry + WEIGHTS;
  let sum = i32x4.add(v128.load32_splat(entry, BIAS), fourTaps(v128.load(source), weights));
  for (let group = 1; group < tapGroups; group++) {
    source += 16;
    weights += 8;
    sum = i32x4.add(sum, fourTaps(v128.load(source), weights));
  }
  return roundedMean(sum, v128.load32_splat(entry, RECIPROCAL));
}

// @ts-ignore: decorator
@inline
function stretchColumns(row: usize, table: usize, tapGroups: i32, width: i32, planes: usize): void {
  const entryBytes: usize = WEIGHTS + 8 * tapGroups;
  const planeBytes: usize = 2 * width;
  const end = planes + planeBytes;
  let entry = table;
  for (let out = planes; out < end; out += 8) {
    const a = stretchedPixel(row, entry, tapGroups);
    const b = stretchedPixel(row, entry + entryBytes, tapGroups);
    const c = stretchedPixel(row, entry + 2 * entryBytes, tapGroups);
    const d = stretchedPixel(row, entry + 3 * entryBytes, tapGroups);
    entry += 4 * entryBytes;
    const ab = i16x8.narrow_i32x4_u(a, b);
    const cd = i16x8.narrow_i32x4_u(c, d);
    const ac = v128.shuffle<i16>(ab, cd, 0, 8, 1, 9, 2, 10, 3, 11);
    const bd = v128.shuffle<i16>(ab, cd, 4, 12, 5, 13, 6, 14, 7, 15);
    const redGreen = v128.shuffle<i16>(ac, bd, 0, 8, 1, 9, 2, 10, 3, 11);
    const blueAlpha = v128.shuffle<i16>(ac, bd, 4, 12, 5, 13, 6, 14, 7, 15);
    v128.store64_lane(out, redGreen, 0);
    v128.store64_lane(out + planeBytes, redGreen, 1);
    v128.store64_lane(out + 2 * planeBytes, blueAlpha, 0);
  }
}

/**
 * Stretches one row of RGBA bytes to `width` columns (a multiple of 8) and leaves its first three channels as planes of i16.
 * Reads up to 16 · tapGroups bytes past a window's start: zero weights make whatever lies there count for nothing.
 */
export function stretchRow(row: usize, table: usize, tapGroups: i32, width: i32, planes: usize): void {
  // Down to half the size four taps do; with the count known the loop over groups compiles away.
  if (tapGroups == 1) stretchColumns(row, table, 1, width, planes);
  else stretchColumns(row, table, tapGroups, width, planes);
}

/** Splits one row of RGBA bytes into planes of i16 without stretching it; `width` is a multiple of 8. */
export function splitRow(row: usize, width: i32, planes: usize): void {
  const planeBytes: usize = 2 * width;
  const end = planes + planeBytes;
  for (let out = planes; out < end; out += 8) {
    const pixels = v128.load(row);
    row += 16;
    const redGreen = i8x16.swizzle(pixels, i8x16(0, -1, 4, -1, 8, -1, 12, -1, 1, -1, 5, -1, 9, -1, 13, -1));
    const blue = i8x16.swizzle(pixels, i8x16(2, -1, 6, -1, 10, -1, 14, -1, -1, -1, -1, -1, -1, -1, -1, -1));
    v128.store64_lane(out, redGreen, 0);
    v128.store64_lane(out + planeBytes, redGreen, 1);
    v128.store64_lane(out + 2 * planeBytes, blue, 0);
  }
}
