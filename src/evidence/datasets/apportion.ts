/**
 * Divides a whole number in proportion to weights by the largest remainder method: each part is its exact share rounded
 * down, and the rest goes one by one to the largest remainders (ties to the first). If the weights sum to 0, all parts
 * are 0.
 */
export function apportion(count: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  if (sum === 0) return weights.map(() => 0);
  const exact = weights.map((weight) => (count * weight) / sum);
  const parts = exact.map(Math.floor);
  const left = count - parts.reduce((total, part) => total + part, 0);
  const byRemainder = exact.map((share, at) => ({ at, remainder: share - parts[at]! }));
  byRemainder.sort((a, b) => b.remainder - a.remainder || a.at - b.at);
  for (const { at } of byRemainder.slice(0, left)) parts[at]! += 1;
  return parts;
}
