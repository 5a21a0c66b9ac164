/** The score with two decimals as Go's `%.2f` writes it: from the exact binary value, ties to the even digit. */
export function formatScore(score: number): string {
  if (Object.is(score, -0)) return '-0.00';
  if (Math.abs(score) === Infinity) return score > 0 ? '+Inf' : '-Inf';
  // toFixed rounds the exact value too, but ties upwards. Of the doubles only odd eighths lie between two hundredths.
  const isTie = Math.abs(score * 8) % 2 === 1;
  if (!isTie) return score.toFixed(2);
  const below = Math.floor(Math.abs(score) * 100);
  const even = below % 2 === 0 ? below : below + 1;
  return ((Math.sign(score) * even) / 100).toFixed(2);
}
