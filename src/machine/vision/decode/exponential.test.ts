import { describe, expect, it } from 'vitest';
import { exponential } from './exponential.ts';

describe('e to the power of a number', () => {
  it.each([
    [0, 1],
    [-0, 1],
    [1, Math.E],
    [NaN, NaN],
    [Infinity, Infinity],
    [-Infinity, 0],
    [709.79, Infinity],
    [709.78, 1.7928227943945155e308],
    [-745.13, 5e-324],
    [-745.14, 0],
    [-740, 4.2e-322],
    [0.34, 1.404947590563594],
    [-1.1, 0.3328710836980795],
    [2.5, 12.182493960703473],
    [1e-9, 1.000000001],
  ])('%d: %d', (x, expected) => expect(exponential(x)).toBe(expected));

  // Tests run on V8, which follows the same source; the numbers of other engines are compared in tests/engines.
  it('is the same as V8 says, to the last bit', () => {
    const differing = Array.from({ length: 200_000 }, (_, at) => ((at * 7919) % 200_003) / 200_003)
      .flatMap((share) => [share, (share - 0.5) * 8, (share - 0.5) * 1500])
      .filter((x) => exponential(x) !== Math.exp(x));
    expect(differing).toEqual([]);
  });
});
