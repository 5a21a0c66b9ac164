/**
 * The machine's ⌊Σw·v / Σw⌋ without a division.
 *
 * Weights come doubled and the sum starts at 1 − S (S = Σw), so the accumulator holds 2·Σw·v − S + 1. Times 1/(2S) that is
 * Σw·v/S − ½ + 1/(2S): never nearer than 1/(2S) to a half, so rounding it to the nearest integer is the floor. Adding 1.5 · 2²³, where
 * float32 has whole numbers only, makes the addition itself round. The float32 product is off by less than 2⁻¹⁵, hence exact for every S
 * below 2¹⁴; the unit test walks all of them.
 */
// @ts-ignore: decorator
@inline
function shiftedMean(accumulator: v128, reciprocal: v128, shift: v128): v128 {
  return f32x4.add(f32x4.mul(f32x4.convert_i32x4_s(accumulator), reciprocal), shift);
}

/** Of four accumulators the means, as i32; `shift` is `wholeFloats()`. */
// @ts-ignore: decorator
@inline
export function roundedMean(accumulator: v128, reciprocal: v128, shift: v128): v128 {
  return i32x4.sub(shiftedMean(accumulator, reciprocal, shift), shift);
}

/** As roundedMean, as float32. */
// @ts-ignore: decorator
@inline
export function roundedFloatMean(accumulator: v128, reciprocal: v128, shift: v128): v128 {
  return f32x4.sub(shiftedMean(accumulator, reciprocal, shift), shift);
}

// One output column or row in a weight table: where its window starts, 1 − S, 1/(2S), then its doubled weights as i16.
export const BIAS: usize = 4;
export const RECIPROCAL: usize = 8;
export const WEIGHTS: usize = 12;
