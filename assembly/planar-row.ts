import { lowBytes } from './kept-constants';

// @ts-ignore: decorator
@inline
function lowerOf(first: v128, second: v128, low: v128): v128 {
  return i8x16.narrow_i16x8_u(v128.and(first, low), v128.and(second, low));
}

// @ts-ignore: decorator
@inline
function upperOf(first: v128, second: v128): v128 {
  return i8x16.narrow_i16x8_u(i16x8.shr_u(first, 8), i16x8.shr_u(second, 8));
}

/**
 * Splits one row of RGBA bytes into three planes of bytes, `stride` (a multiple of 16, at least `width`) apart. Reads up to 60 bytes past
 * the row. @returns whether all alphas that it read are 255
 */
export function splitRow(row: usize, width: i32, stride: i32, planes: usize): bool {
  const low = lowBytes();
  const end = planes + width;
  let alphas = i8x16.splat(-1);
  for (let out = planes; out < end; out += 16, row += 64) {
    const a = v128.load(row);
    const b = v128.load(row, 16);
    const c = v128.load(row, 32);
    const d = v128.load(row, 48);
    const redBlueAb = lowerOf(a, b, low);
    const redBlueCd = lowerOf(c, d, low);
    const greenAlphaAb = upperOf(a, b);
    const greenAlphaCd = upperOf(c, d);
    v128.store(out, lowerOf(redBlueAb, redBlueCd, low));
    v128.store(out + stride, lowerOf(greenAlphaAb, greenAlphaCd, low));
    v128.store(out + 2 * stride, upperOf(redBlueAb, redBlueCd));
    alphas = v128.and(alphas, v128.and(greenAlphaAb, greenAlphaCd));
  }
  return i16x8.all_true(i16x8.eq(i16x8.shr_u(alphas, 8), low));
}

/** Joins three planes of bytes to one row of opaque RGBA; writes up to 60 bytes past the row. */
export function joinRow(planes: usize, width: i32, stride: i32, row: usize): void {
  const end = planes + width;
  const opaque = i8x16.splat(-1);
  for (let at = planes; at < end; at += 16, row += 64) {
    const red = v128.load(at);
    const green = v128.load(at + stride);
    const blue = v128.load(at + 2 * stride);
    const redGreenLow = v128.shuffle<i8>(red, green, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    const redGreenHigh = v128.shuffle<i8>(red, green, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    const blueLow = v128.shuffle<i8>(blue, opaque, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    const blueHigh = v128.shuffle<i8>(blue, opaque, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    v128.store(row, v128.shuffle<i16>(redGreenLow, blueLow, 0, 8, 1, 9, 2, 10, 3, 11));
    v128.store(row, v128.shuffle<i16>(redGreenLow, blueLow, 4, 12, 5, 13, 6, 14, 7, 15), 16);
    v128.store(row, v128.shuffle<i16>(redGreenHigh, blueHigh, 0, 8, 1, 9, 2, 10, 3, 11), 32);
    v128.store(row, v128.shuffle<i16>(redGreenHigh, blueHigh, 4, 12, 5, 13, 6, 14, 7, 15), 48);
  }
}

/** Widens three planes of bytes to planes of i16; `width` is a multiple of 8. */
export function widenRow(bytes: usize, stride: i32, width: i32, planes: usize): void {
  for (let k = 0; k < 3; k++, bytes += stride) {
    for (let at = bytes; at < bytes + width; at += 8, planes += 16) {
      v128.store(planes, v128.load8x8_u(at));
    }
  }
}
