/**
 * Rounds as processors and Python do: halves go to the even number.
 * @param value a number
 * @returns a whole number
 * @example
 * [0.5, 1.5, 2.4, -0.5].map(roundHalfEven); // => [0, 2, 2, 0]
 */
export function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  return (rest > 0.5 || (rest === 0.5 && floor % 2 !== 0) ? floor + 1 : floor) + 0;
}
