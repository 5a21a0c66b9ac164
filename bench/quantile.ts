import { quantileOf } from '../src/models/profile/quantile.ts';

/** The `q` quantile (0 to 1): the fraction `q` of the values is at or below it. */
export function quantile(values: readonly number[], q: number): number {
  return quantileOf(
    values.toSorted((a, b) => a - b),
    q,
  );
}
