// @ts-ignore: decorator
@inline
function clampToByte(value: v128): v128 {
  return i16x8.min_s(i16x8.max_s(value, i16x8.splat(0)), i16x8.splat(255));
}

// @ts-ignore: decorator
@inline
function toRed(luma: v128, cr: v128): v128 {
  return i32x4.shr_s(i32x4.add(luma, i32x4.mul(cr, i32x4.splat(91881))), 16);
}

// @ts-ignore: decorator
@inline
function toGreen(luma: v128, cb: v128, cr: v128): v128 {
  const chroma = i32x4.add(i32x4.mul(cb, i32x4.splat(22554)), i32x4.mul(cr, i32x4.splat(46802)));
  return i32x4.shr_s(i32x4.sub(luma, chroma), 16);
}

// @ts-ignore: decorator
@inline
function toBlue(luma: v128, cb: v128): v128 {
  return i32x4.shr_s(i32x4.add(luma, i32x4.mul(cb, i32x4.splat(116130))), 16);
}

/** Turns the planes Y, Cb, Cr (i16, `width` a multiple of 8) into R, G, B in place, by JPEG's integer formula. */
export function convertYCbCrRow(planes: usize, width: i32): void {
  const planeBytes: usize = 2 * width;
  const end = planes + planeBytes;
  const scale = i32x4.splat(65793);
  for (let at = planes; at < end; at += 16) {
    const y = v128.load(at);
    const cb = i16x8.sub(v128.load(at + planeBytes), i16x8.splat(128));
    const cr = i16x8.sub(v128.load(at + 2 * planeBytes), i16x8.splat(128));
    const lowY = i32x4.mul(i32x4.extend_low_i16x8_s(y), scale);
    const highY = i32x4.mul(i32x4.extend_high_i16x8_s(y), scale);
    const lowCb = i32x4.extend_low_i16x8_s(cb);
    const highCb = i32x4.extend_high_i16x8_s(cb);
    const lowCr = i32x4.extend_low_i16x8_s(cr);
    const highCr = i32x4.extend_high_i16x8_s(cr);
    const red = i16x8.narrow_i32x4_s(toRed(lowY, lowCr), toRed(highY, highCr));
    const green = i16x8.narrow_i32x4_s(toGreen(lowY, lowCb, lowCr), toGreen(highY, highCb, highCr));
    const blue = i16x8.narrow_i32x4_s(toBlue(lowY, lowCb), toBlue(highY, highCb));
    v128.store(at, clampToByte(red));
    v128.store(at + planeBytes, clampToByte(green));
    v128.store(at + 2 * planeBytes, clampToByte(blue));
  }
}
