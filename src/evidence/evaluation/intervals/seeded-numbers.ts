/**
 * Numbers that are random and the same for the same seed (mulberry32), so that a figure is the same tomorrow.
 *
 * @param seed any whole number
 * @returns gives the next whole number from 0 below 2³²
 * @example seededNumbers(1)() === seededNumbers(1)(); // => true
 */
export function seededNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}

/**
 * @param count how many numbers
 * @param seed any whole number
 * @returns the numbers from 0 below `count` in random order
 * @example shuffled(3, 1);
 */
export function shuffled(count: number, seed: number): Uint32Array {
  const next = seededNumbers(seed);
  const order = Uint32Array.from({ length: count }, (_, at) => at);
  for (let at = count - 1; at > 0; at--) {
    const other = Math.floor((next() / 2 ** 32) * (at + 1));
    [order[at], order[other]] = [order[other]!, order[at]!];
  }
  return order;
}
