// The integer arithmetic of libyuv (row_common.cc, YuvPixel), by which browsers convert: src/machine/vision/yuv/yuv-to-rgba.ts says it plainly.
// Y · brightness >> 16 is taken in three parts of the factor (bits 16 and up, 8 to 15, 0 to 7), each of which fits 16 bits.

import { lowBytes, neutralChroma } from './kept-constants';

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
function redOrBlueOf(chroma: v128, bias: v128, factor: v128): v128 {
  return i16x8.add(bias, i16x8.mul(chroma, factor));
}

// @ts-ignore: decorator
@inline
function greenOf(u: v128, v: v128, bias: v128, ofU: v128, ofV: v128): v128 {
  return i16x8.sub(bias, i16x8.add(i16x8.mul(u, ofU), i16x8.mul(v, ofV)));
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
  const bias = i16x8.splat(constants.bias);
  const blueOfU = i16x8.splat(constants.blueOfU);
  const greenOfU = i16x8.splat(constants.greenOfU);
  const greenOfV = i16x8.splat(constants.greenOfV);
  const redOfV = i16x8.splat(constants.redOfV);
  const neutral = neutralChroma();
  const low = lowBytes();
  const end = out + 2 * width;
  const bytes: usize = 2 * stride;
  for (; out < end; out += 32, u += 8 * step, v += 8 * step) {
    const cu = i16x8.sub(step == 1 ? v128.load8x8_u(u) : v128.and(v128.load(u), low), neutral);
    const cv = i16x8.sub(step == 1 ? v128.load8x8_u(v) : i16x8.shr_u(v128.load(u), 8), neutral);
    store2(out, redOrBlueOf(cv, bias, redOfV));
    store2(out + bytes, greenOf(cu, cv, bias, greenOfU, greenOfV));
    store2(out + 2 * bytes, redOrBlueOf(cu, bias, blueOfU));
  }
}

/** As `chromaRow`, of chroma that has a sample for every pixel: each value once. */
export function fullChromaRow(u: usize, v: usize, width: i32, stride: i32, constants: YuvConstants, out: usize): void {
  const bias = i16x8.splat(constants.bias);
  const blueOfU = i16x8.splat(constants.blueOfU);
  const greenOfU = i16x8.splat(constants.greenOfU);
  const greenOfV = i16x8.splat(constants.greenOfV);
  const redOfV = i16x8.splat(constants.redOfV);
  const neutral = neutralChroma();
  const end = out + 2 * width;
  const bytes: usize = 2 * stride;
  for (; out < end; out += 16, u += 8, v += 8) {
    const cu = i16x8.sub(v128.load8x8_u(u), neutral);
    const cv = i16x8.sub(v128.load8x8_u(v), neutral);
    v128.store(out, redOrBlueOf(cv, bias, redOfV));
    v128.store(out + bytes, greenOf(cu, cv, bias, greenOfU, greenOfV));
    v128.store(out + 2 * bytes, redOrBlueOf(cu, bias, blueOfU));
  }
}

// @ts-ignore: decorator
@inline
function brightnessOf(y: v128, low: v128, middle: v128, high: v128): v128 {
  const carried = i16x8.add(i16x8.mul(y, middle), i16x8.shr_u(i16x8.mul(y, low), 8));
  return i16x8.add(i16x8.mul(y, high), i16x8.shr_u(carried, 8));
}

// @ts-ignore: decorator
@inline
function colourOf(left: v128, right: v128, chroma: usize): v128 {
  // Beyond i16 only where the colour is beyond 255 too, and both saturate.
  return i8x16.narrow_i16x8_u(
    i16x8.shr_s(i16x8.add_sat_s(left, v128.load(chroma)), 6),
    i16x8.shr_s(i16x8.add_sat_s(right, v128.load(chroma, 16)), 6),
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
  const low = i16x8.splat(constants.brightnessLow);
  const middle = i16x8.splat(constants.brightnessMiddle);
  const high = i16x8.splat(constants.brightnessHigh);
  const end = luma + width;
  const chromaBytes: usize = 2 * stride;
  for (; luma < end; luma += 16, chroma += 32, planes += 16) {
    const left = brightnessOf(v128.load8x8_u(luma), low, middle, high);
    const right = brightnessOf(v128.load8x8_u(luma, 8), low, middle, high);
    v128.store(planes, colourOf(left, right, chroma));
    v128.store(planes + stride, colourOf(left, right, chroma + chromaBytes));
    v128.store(planes + 2 * stride, colourOf(left, right, chroma + 2 * chromaBytes));
  }
}
