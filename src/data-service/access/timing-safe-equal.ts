/**
 * Compares bytes in constant time, so that the time does not show where the first difference is. Lengths are not
 * secret.
 * @param a bytes
 * @param b other bytes
 * @returns true where both are equal
 * @example
 * timingSafeEqual(Uint8Array.of(1, 2), Uint8Array.of(1, 2)); // => true
 * timingSafeEqual(Uint8Array.of(1, 2), Uint8Array.of(1, 3)); // => false
 */
export function timingSafeEqual(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  a.forEach((byte, index) => (difference |= byte ^ b[index]!));
  return difference === 0;
}
