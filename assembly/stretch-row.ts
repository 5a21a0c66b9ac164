import { lowBytes, wholeFloats } from './kept-constants';
import { roundedMean } from './weighted-mean';

// Columns are stretched four at a time: a table has one entry for four of them (src/platform/kernel/column-table.ts lays it out).
const BIASES: usize = 16;
const RECIPROCALS: usize = 32;
const HEAD_BYTES: usize = 48;

// @ts-ignore: decorator
@inline
function storeMeans(sums: v128, entry: usize, shift: v128, out: usize): void {
  const means = roundedMean(i32x4.add(sums, v128.load(entry, BIASES)), v128.load(entry, RECIPROCALS), shift);
  v128.store64_lane(out, i16x8.narrow_i32x4_u(means, means), 0);
}

// @ts-ignore: decorator
@inline
function nearSums(pixels: v128, entry: usize, tapPairs: i32): v128 {
  let at = entry + HEAD_BYTES;
  let sums = i32x4.dot_i16x8_s(i8x16.swizzle(pixels, v128.load(at)), v128.load(at, 16));
  for (let pair = 1; pair < tapPairs; pair++) {
    at += 32;
    sums = i32x4.add(sums, i32x4.dot_i16x8_s(i8x16.swizzle(pixels, v128.load(at)), v128.load(at, 16)));
  }
  return sums;
}

// @ts-ignore: decorator
@inline
function nearColumns(bytes: usize, stride: i32, table: usize, tapPairs: i32, width: i32, planes: usize): void {
  const planeBytes: usize = 2 * width;
  const entryBytes: usize = HEAD_BYTES + 32 * tapPairs;
  const end = planes + planeBytes;
  const shift = wholeFloats();
  for (let out = planes, entry = table; out < end; out += 8, entry += entryBytes) {
    const source = bytes + load<i32>(entry);
    storeMeans(nearSums(v128.load(source), entry, tapPairs), entry, shift, out);
    storeMeans(nearSums(v128.load(source + stride), entry, tapPairs), entry, shift, out + planeBytes);
    storeMeans(nearSums(v128.load(source + 2 * stride), entry, tapPairs), entry, shift, out + 2 * planeBytes);
  }
}

/**
 * Stretches three planes of bytes to `width` columns (a multiple of 8), as planes of i16. For windows of which four lie within 16 bytes:
 * whatever is shrunk to a third or less strongly. An entry is: start of the 16 bytes, 3 unused u32, 1 − S of each column (i32), 1/(2S)
 * (f32), then for each pair of taps which bytes (of four columns, as i16) and their doubled weights.
 */
export function stretchNear(bytes: usize, stride: i32, table: usize, tapPairs: i32, width: i32, planes: usize): void {
  // With the count known the loop over pairs compiles away: two do down to half the size.
  if (tapPairs == 2) nearColumns(bytes, stride, table, 2, width, planes);
  else if (tapPairs == 1) nearColumns(bytes, stride, table, 1, width, planes);
  else nearColumns(bytes, stride, table, tapPairs, width, planes);
}

// @ts-ignore: decorator
@inline
function sumOfSixteen(source: usize, weights: usize, low: v128): v128 {
  const bytes = v128.load(source);
  const even = i32x4.dot_i16x8_s(v128.and(bytes, low), v128.load(weights));
  return i32x4.add(even, i32x4.dot_i16x8_s(i16x8.shr_u(bytes, 8), v128.load(weights, 16)));
}

// @ts-ignore: decorator
@inline
function sumOfEight(source: usize, weights: usize): v128 {
  return i32x4.dot_i16x8_s(v128.load8x8_u(source), v128.load(weights));
}

// @ts-ignore: decorator
@inline
function farSum(source: usize, weights: usize, tapGroups: i32, low: v128): v128 {
  const last = tapGroups - 1;
  let sum = tapGroups & 1 ? sumOfEight(source + 8 * last, weights + 16 * last) : sumOfSixteen(source, weights, low);
  for (let group = tapGroups & 1 ? 0 : 2; group < last; group += 2) {
    sum = i32x4.add(sum, sumOfSixteen(source + 8 * group, weights + 16 * group, low));
  }
  return sum;
}

// @ts-ignore: decorator
@inline
function farSums(bytes: usize, entry: usize, tapGroups: i32, low: v128): v128 {
  const weightBytes: usize = 16 * tapGroups;
  const weights = entry + HEAD_BYTES;
  const a = farSum(bytes + load<i32>(entry), weights, tapGroups, low);
  const b = farSum(bytes + load<i32>(entry, 4), weights + weightBytes, tapGroups, low);
  const c = farSum(bytes + load<i32>(entry, 8), weights + 2 * weightBytes, tapGroups, low);
  const d = farSum(bytes + load<i32>(entry, 12), weights + 3 * weightBytes, tapGroups, low);
  const ab = i32x4.add(v128.shuffle<i32>(a, b, 0, 4, 1, 5), v128.shuffle<i32>(a, b, 2, 6, 3, 7));
  const cd = i32x4.add(v128.shuffle<i32>(c, d, 0, 4, 1, 5), v128.shuffle<i32>(c, d, 2, 6, 3, 7));
  return i32x4.add(v128.shuffle<i64>(ab, cd, 0, 2), v128.shuffle<i64>(ab, cd, 1, 3));
}

// @ts-ignore: decorator
@inline
function farColumns(bytes: usize, stride: i32, table: usize, tapGroups: i32, width: i32, planes: usize): void {
  const entryBytes: usize = HEAD_BYTES + 64 * tapGroups;
  const shift = wholeFloats();
  const low = lowBytes();
  for (let k = 0; k < 3; k++, bytes += stride) {
    let entry = table;
    const end = planes + 2 * width;
    for (; planes < end; planes += 8, entry += entryBytes)
      storeMeans(farSums(bytes, entry, tapGroups, low), entry, shift, planes);
  }
}

/**
 * As stretchNear, for windows of any length. An entry is: starts of four windows (i32), 1 − S of each, 1/(2S), then for each window its
 * doubled weights, the last ones 0: of sixteen bytes first those of the even ones, then of the odd; and of eight that are left over as they
 * follow. Reads as far past a row as the weights of 0 reach.
 */
export function stretchFar(bytes: usize, stride: i32, table: usize, tapGroups: i32, width: i32, planes: usize): void {
  if (tapGroups == 2) farColumns(bytes, stride, table, 2, width, planes);
  else if (tapGroups == 1) farColumns(bytes, stride, table, 1, width, planes);
  else farColumns(bytes, stride, table, tapGroups, width, planes);
}

// @ts-ignore: decorator
@inline
function outerAndInner(pairs: v128, next: v128, low: v128): v128 {
  const outer = i16x8.add(v128.and(pairs, low), i16x8.shr_u(next, 8));
  const inner = i16x8.add(i16x8.shr_u(pairs, 8), v128.and(next, low));
  return i16x8.shr_u(i16x8.add(i16x8.add(outer, inner), i16x8.shl(inner, 1)), 3);
}

/**
 * As stretchNear, to half the columns, where every window weighs 1, 3, 3, 1: 64, 192, 192, 64 of 512. Before a plane one byte is
 * written and after its `sourceWidth` as well, as windows go on beyond the edge with the pixel that is there.
 */
export function stretchToHalf(bytes: usize, sourceWidth: i32, stride: i32, width: i32, planes: usize): void {
  const low = lowBytes();
  for (let k = 0; k < 3; k++, bytes += stride) {
    store<u8>(bytes - 1, load<u8>(bytes));
    store<u8>(bytes + sourceWidth, load<u8>(bytes + sourceWidth - 1));
    let source = bytes - 1;
    const end = planes + 2 * width;
    for (; planes < end; planes += 16, source += 16) {
      v128.store(planes, outerAndInner(v128.load(source), v128.load(source, 2), low));
    }
  }
}
