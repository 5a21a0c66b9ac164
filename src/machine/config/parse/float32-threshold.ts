/**
 * The decimal with the fewest digits that still keeps a score which the model meant to be `threshold`. Models emit
 * float32, which the machine widens unrounded and compares with >=: 0.7 drops a score of 0.7, as that is 0.699999988…
 * The result is at most that float32 and above the one before it, so no other score is kept or dropped.
 * A threshold that drops nothing by rounding is returned as it is.
 */
export function float32SafeThreshold(threshold: number): number {
  const score = Math.fround(threshold);
  if (!(score < threshold)) return threshold;
  const below = previousFloat32(score);
  for (let digits = 1; digits <= 16; digits++) {
    const scale = 10 ** digits;
    const candidate = Number((Math.floor(score * scale) / scale).toFixed(digits));
    if (candidate > below && candidate <= score) return candidate;
  }
  return score;
}

function previousFloat32(value: number): number {
  const bits = new DataView(new ArrayBuffer(4));
  bits.setFloat32(0, value);
  bits.setInt32(0, bits.getInt32(0) + (value > 0 ? -1 : 1));
  return bits.getFloat32(0);
}
