/**
 * Takes so many of a list, from its first on at equal steps: neighbours are often frames of one scene.
 *
 * @param all in their order
 * @param most how many, 1 or more
 * @returns the same list where it has no more
 * @example
 * spreadOver(['a', 'b', 'c', 'd'], 2); // => ['a', 'c']
 */
export function spreadOver<T>(all: readonly T[], most: number): readonly T[] {
  if (all.length <= most) return all;
  return Array.from({ length: most }, (_, at) => all[Math.floor((at * all.length) / most)]!);
}
