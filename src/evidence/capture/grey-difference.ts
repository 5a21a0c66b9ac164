/**
 * Mean difference of two small pictures, 0..1, after subtracting the change of the mean brightness: a lamp or an
 * automatic exposure does not count. Grey levels 0..255; pictures of different sizes differ by 1.
 */
export function greyDifference(a: Uint8Array, b: Uint8Array): number {
  if (a.length !== b.length || a.length === 0) return 1;
  const shift = (sum(a) - sum(b)) / a.length;
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference += Math.abs(a[i]! - b[i]! - shift);
  return difference / a.length / 255;
}

function sum(levels: Uint8Array): number {
  let total = 0;
  for (const level of levels) total += level;
  return total;
}
