// @ts-ignore: decorator
@inline
function byColour(pixels: v128): v128 {
  return i8x16.swizzle(pixels, i8x16(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
}

/** Splits one row of RGBA bytes into three planes of bytes, `stride` (a multiple of 16, at least `width`) apart. Reads up to 60 bytes past the row. */
export function splitRow(row: usize, width: i32, stride: i32, planes: usize): void {
  const end = planes + width;
  for (let out = planes; out < end; out += 16, row += 64) {
    const a = byColour(v128.load(row));
    const b = byColour(v128.load(row, 16));
    const c = byColour(v128.load(row, 32));
    const d = byColour(v128.load(row, 48));
    const redGreenAb = v128.shuffle<i32>(a, b, 0, 4, 1, 5);
    const redGreenCd = v128.shuffle<i32>(c, d, 0, 4, 1, 5);
    const blueAb = v128.shuffle<i32>(a, b, 2, 6, 2, 6);
    const blueCd = v128.shuffle<i32>(c, d, 2, 6, 2, 6);
    v128.store(out, v128.shuffle<i64>(redGreenAb, redGreenCd, 0, 2));
    v128.store(out + stride, v128.shuffle<i64>(redGreenAb, redGreenCd, 1, 3));
    v128.store(out + 2 * stride, v128.shuffle<i64>(blueAb, blueCd, 0, 2));
  }
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
