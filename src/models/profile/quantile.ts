/** The value that the share `q` (0..1) of all lies at or below, by the nearest rank; 0 of none. `sorted` ascends. */
export function quantileOf(sorted: ArrayLike<number>, q: number): number {
  return sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)] ?? 0;
}

/** The middle one; the lower of two, so that it is one that was measured; 0 of none. In any order. */
export function median(values: readonly number[]): number {
  return quantileOf(
    values.toSorted((a, b) => a - b),
    0.5,
  );
}
