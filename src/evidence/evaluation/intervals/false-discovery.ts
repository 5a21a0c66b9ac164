/**
 * Adjusts p-values of tests that are made together, so that of those at or below a level at most that share is false on
 * average (Benjamini and Hochberg, Controlling the false discovery rate, 1995). Where nothing changed at all, that is
 * the chance of any alarm.
 *
 * @param pValues of all tests, 0..1
 * @returns the lowest level at which each is found, in the same order
 * @example
 * falseDiscoveryLevels([0.01, 0.5, 0.02]); // => [0.03, 0.5, 0.03]
 */
export function falseDiscoveryLevels(pValues: readonly number[]): number[] {
  const falling = pValues.map((_, at) => at).sort((a, b) => pValues[b]! - pValues[a]!);
  const levels = new Array<number>(pValues.length);
  let lowest = 1;
  for (const [place, at] of falling.entries()) {
    lowest = Math.min(lowest, (pValues[at]! * pValues.length) / (pValues.length - place));
    levels[at] = lowest;
  }
  return levels;
}
