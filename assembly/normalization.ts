/**
 * How the bytes of a channel become float32: (v/255 − mean) / std, each step rounded. v/255 is v·high + v·low: v times the first is exact
 * (16 + 8 bits), so the sum is rounded once. Where that gives the same 256 results the loader multiplies all three by std's inverse, and
 * nothing is divided: see normalizationFor in src/platform/kernel/channel-normalization.ts.
 */
@unmanaged
export class Normalization {
  high: f32;
  low: f32;
  mean: f32;
  stdDev: f32;
  divides: u32;
}

/** The bytes of a `Normalization` in memory. */
export const NORMALIZATION_BYTES: usize = 20;

/** Normalizes four float32 of 0 to 255; `divides` is known where this is inlined, the rest are splats. */
// @ts-ignore: decorator
@inline
export function normalized(values: v128, high: v128, low: v128, mean: v128, stdDev: v128, divides: bool): v128 {
  const centred = f32x4.sub(f32x4.add(f32x4.mul(values, high), f32x4.mul(values, low)), mean);
  return divides ? f32x4.div(centred, stdDev) : centred;
}
