/** The value that the share `q` (0..1) of all lies at or below, by the nearest rank; 0 of none. `sorted` ascends. */
export function quantileOf(sorted: ArrayLike<number>, q: number): number {
  return sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)] ?? 0;
}
