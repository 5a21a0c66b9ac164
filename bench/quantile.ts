import { quantileOf } from '../src/profile/quantile.ts';

/** The value that the share `q` (0 to 1) of all lies at or below. */
export function quantile(values: readonly number[], q: number): number {
  return quantileOf(
    values.toSorted((a, b) => a - b),
    q,
  );
}
