/**
 * Converts 16 bits of IEEE 754 binary16 to the number that they stand for.
 * @param bits 0..65535
 * @returns the number; infinities and NaN included
 * @example
 * float16BitsToNumber(0x3c00); // => 1
 * float16BitsToNumber(0xc000); // => -2
 * float16BitsToNumber(0x7c00); // => Infinity
 */
export function float16BitsToNumber(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
