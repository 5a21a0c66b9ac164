/** Compares without telling by its time where the first difference is. Lengths are no secret. */
export function timingSafeEqual(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  a.forEach((byte, index) => (difference |= byte ^ b[index]!));
  return difference === 0;
}
