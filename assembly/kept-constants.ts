// An engine writes a constant vector anew wherever a loop uses it, in three instructions; what was loaded before the loop stays in a
// register. So the constants of inner loops lie in memory: in its first bytes, which the loader leaves free (src/platform/kernel/kernel-memory.ts).

const WHOLE_FLOATS_AT: usize = 0;
const LOW_BYTES_AT: usize = 4;
const NEUTRAL_AT: usize = 6;

// when the module starts
store<f32>(WHOLE_FLOATS_AT, 12582912.0);
store<u16>(LOW_BYTES_AT, 255);
store<u16>(NEUTRAL_AT, 128);

/** 1.5 · 2²³, four times: from here to 2²⁴ there are no float32 but whole numbers. */
// @ts-ignore: decorator
@inline
export function wholeFloats(): v128 {
  return v128.load32_splat(WHOLE_FLOATS_AT);
}

/** 255, eight times: what is left of two bytes is the lower one. */
// @ts-ignore: decorator
@inline
export function lowBytes(): v128 {
  return v128.load16_splat(LOW_BYTES_AT);
}

/** 128, eight times: chroma without colour. */
// @ts-ignore: decorator
@inline
export function neutralChroma(): v128 {
  return v128.load16_splat(NEUTRAL_AT);
}
