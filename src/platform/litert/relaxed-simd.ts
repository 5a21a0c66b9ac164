/** A module with one function: i32x4.relaxed_trunc_f32x4_s of a constant, dropped. */
const smallestModule = [
  0,
  0x61,
  0x73,
  0x6d,
  1,
  0,
  0,
  0, // magic, version
  1,
  4,
  1,
  0x60,
  0,
  0, // one type: () → ()
  3,
  2,
  1,
  0, // one function of it
  // the function's body: v128.const 0; i32x4.relaxed_trunc_f32x4_s; drop
  10,
  0x1a,
  1,
  0x18,
  0,
  0xfd,
  12,
  ...Array<number>(16).fill(0),
  0xfd,
  0x81,
  2,
  0x1a,
  0x0b,
];

// Both hosts have it, and Node's types do not say so.
declare const WebAssembly: { validate(bytes: Uint8Array): boolean };

/** Whether WebAssembly here has relaxed SIMD, which most builds of LiteRT need. */
export function hasRelaxedSimd(): boolean {
  return WebAssembly.validate(Uint8Array.from(smallestModule));
}
