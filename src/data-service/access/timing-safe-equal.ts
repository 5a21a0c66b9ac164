/**
 * Compares in constant time, so that the time does not show where the first difference is. Lengths are not secret.
 */
export function timingSafeEqual(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  a.forEach((byte, index) => (difference |= byte ^ b[index]!));
  return difference === 0;
}
