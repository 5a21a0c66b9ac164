// The integer arithmetic of libyuv (row_common.cc, YuvPixel), by which browsers convert: src/vision/yuv/yuv-conversion.ts says it plainly.
// Y · brightness >> 16 is taken in three parts of the factor (bits 16 and up, 8 to 15, 0 to 7), each of which fits 16 bits.

@unmanaged
export class YuvConstants {
  brightnessHigh: i16;
  brightnessMiddle: i16;
  brightnessLow: i16;
  bias: i16;
  blueOfU: i16;
  greenOfU: i16;
  greenOfV: i16;
  redOfV: i16;
}

// @ts-ignore: decorator
@inline
function store2(out: usize, values: v128): void {
  v128.store(out, v128.shuffle<i16>(values, values, 0, 0, 1, 1, 2, 2, 3, 3));
  v128.store(out, v128.shuffle<i16>(values, values, 4, 4, 5, 5, 6, 6, 7, 7), 16);
}

// @ts-ignore: decorator
@inline
function centred(chroma: v128): v128 {
  return i16x8.sub(chroma, i16x8.splat(128));
}

// @ts-ignore: decorator
@inline
function redOf(v: v128, constants: YuvConstants): v128 {
  return i16x8.add(i16x8.splat(constants.bias), i16x8.mul(v, i16x8.splat(constants.redOfV)));
}

// @ts-ignore: decorator
@inline
function greenOf(u: v128, v: v128, constants: YuvConstants): v128 {
  const green = i16x8.add(i16x8.mul(u, i16x8.splat(constants.greenOfU)), i16x8.mul(v, i16x8.splat(constants.greenOfV)));
  return i16x8.sub(i16x8.splat(constants.bias), green);
}

// @ts-ignore: decorator
@inline
function blueOf(u: v128, constants: YuvConstants): v128 {
  return i16x8.add(i16x8.splat(constants.bias), i16x8.mul(u, i16x8.splat(constants.blueOfU)));
}

// @ts-ignore: decorator
@inline
function chromaOf(u: v128, v: v128, constants: YuvConstants, out: usize, stride: usize): void {
  const cu = centred(u);
  const cv = centred(v);
  store2(out, redOf(cv, constants));
  store2(out + stride, greenOf(cu, cv, constants));
  store2(out + 2 * stride, blueOf(cu, constants));
}

/**
 * What a row of chroma adds to red, green and blue, as three rows of i16, each value twice: a sample of it belongs to two pixels of two
 * rows. `u` and `v` are `step` bytes from sample to sample: 1, or 2 where they lie side by side (NV12). Reads up to 15 bytes past the row.
 */
export function chromaRow(
  u: usize,
  v: usize,
  step: i32,
  width: i32,
  stride: i32,
  constants: YuvConstants,
  out: usize,
): void {
  const end = out + 2 * width;
  const bytes: usize = 2 * stride;
  if (step == 1) {
    for (; out < end; out += 32, u += 8, v += 8) {
      chromaOf(v128.load8x8_u(u), v128.load8x8_u(v), constants, out, bytes);
    }
  } else {
    for (; out < end; out += 32, u += 16) {
      const pairs = v128.load(u);
      chromaOf(v128.and(pairs, i16x8.splat(255)), i16x8.shr_u(pairs, 8), constants, out, bytes);
    }
  }
}

/** As `chromaRow`, of chroma that has a sample for every pixel: each value once. */
export function fullChromaRow(u: usize, v: usize, width: i32, stride: i32, constants: YuvConstants, out: usize): void {
  const end = out + 2 * width;
  const bytes: usize = 2 * stride;
  for (; out < end; out += 16, u += 8, v += 8) {
    const cu = centred(v128.load8x8_u(u));
    const cv = centred(v128.load8x8_u(v));
    v128.store(out, redOf(cv, constants));
    v128.store(out + bytes, greenOf(cu, cv, constants));
    v128.store(out + 2 * bytes, blueOf(cu, constants));
  }
}

// @ts-ignore: decorator
@inline
function brightnessOf(y: v128, constants: YuvConstants): v128 {
  const low = i16x8.shr_u(i16x8.mul(y, i16x8.splat(constants.brightnessLow)), 8);
  const middle = i16x8.shr_u(i16x8.add(i16x8.mul(y, i16x8.splat(constants.brightnessMiddle)), low), 8);
  return i16x8.add(i16x8.mul(y, i16x8.splat(constants.brightnessHigh)), middle);
}

// @ts-ignore: decorator
@inline
function colourOf(low: v128, high: v128, chroma: usize): v128 {
  // Beyond i16 only where the colour is beyond 255 too, and both saturate.
  return i8x16.narrow_i16x8_u(
    i16x8.shr_s(i16x8.add_sat_s(low, v128.load(chroma)), 6),
    i16x8.shr_s(i16x8.add_sat_s(high, v128.load(chroma, 16)), 6),
  );
}

/** Turns a row of luma and what `chromaRow` left into three planes of bytes, `stride` (a multiple of 16) apart. Reads up to 15 bytes past the row. */
export function convertYuvRow(
  luma: usize,
  width: i32,
  stride: i32,
  constants: YuvConstants,
  chroma: usize,
  planes: usize,
): void {
  const end = luma + width;
  const chromaBytes: usize = 2 * stride;
  for (; luma < end; luma += 16, chroma += 32, planes += 16) {
    const low = brightnessOf(v128.load8x8_u(luma), constants);
    const high = brightnessOf(v128.load8x8_u(luma, 8), constants);
    v128.store(planes, colourOf(low, high, chroma));
    v128.store(planes + stride, colourOf(low, high, chroma + chromaBytes));
    v128.store(planes + 2 * stride, colourOf(low, high, chroma + 2 * chromaBytes));
  }
}
