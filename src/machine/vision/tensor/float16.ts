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

/**
 * Converts a number to the nearest of IEEE 754 binary16, ties to the even one.
 * @param value any number; beyond 65,519 it becomes an infinity
 * @returns 16 bits
 * @example
 * numberToFloat16Bits(1).toString(16); // => '3c00'
 * numberToFloat16Bits(65520).toString(16); // => '7c00'
 */
export function numberToFloat16Bits(value: number): number {
  if (Number.isNaN(value)) return 0x7e00;
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const magnitude = Math.abs(value);
  if (magnitude >= 65520) return sign | 0x7c00;
  // Below 2^-14 numbers are whole multiples of 2^-24; above, of 2^-10 of their own power of two.
  const exponent = Math.max(-14, Math.floor(Math.log2(magnitude || 2 ** -24)));
  const step = 2 ** (exponent - 10);
  const steps = halfToEven(magnitude / step);
  return sign | (exponent === -14 && steps < 1024 ? steps : steps - 1024 + ((exponent + 15) << 10));
}

function halfToEven(value: number): number {
  const below = Math.floor(value);
  const rest = value - below;
  return rest > 0.5 || (rest === 0.5 && below % 2 === 1) ? below + 1 : below;
}
