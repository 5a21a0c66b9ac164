const ln2High = 6.9314718036912381649e-1;
const ln2Low = 1.90821492927058770002e-10;
const halfLn2 = 0.3465735912322998; // the first number above whose upper 32 bits exceed those of ln 2 / 2
const oneAndHalfLn2 = 1.0397205352783203;

/**
 * e to the power of x, the same in every browser and in Node: `Math.exp` may differ by the last bit between engines (Chromium and
 * Firefox do), and then the scores of one frame would. After fdlibm's e_exp.c (Sun, 1993), which V8 and Go's portable code follow.
 * @param x any number
 * @returns e to the power of x; infinity above 709.78, 0 below -745.13, NaN of NaN
 * @example
 * exponential(0); // => 1
 * exponential(800); // => Infinity
 */
export function exponential(x: number): number {
  if (Number.isNaN(x) || x > 7.09782712893383973096e2) return x + Infinity;
  if (x < -7.4513321910194110842e2) return 0;
  const size = Math.abs(x);
  if (size < 2 ** -28) return 1 + x;
  if (x === 1) return Math.E;
  // x = power · ln 2 + rest, |rest| ≤ ln 2 / 2
  let power = 0;
  if (size >= oneAndHalfLn2) power = Math.trunc(1.442695040888963387 * x + Math.sign(x) / 2);
  else if (size >= halfLn2) power = Math.sign(x);
  const high = x - power * ln2High;
  const low = power * ln2Low;
  const rest = high - low;
  const square = rest * rest;
  const tail =
    rest -
    square *
      (1.66666666666666019037e-1 +
        square *
          (-2.77777777770155933842e-3 +
            square *
              (6.61375632143793436117e-5 + square * (-1.6533902205465251539e-6 + square * 4.13813679705723846039e-8))));
  if (power === 0) return 1 - ((rest * tail) / (tail - 2) - rest);
  const scaled = 1 - (low - (rest * tail) / (2 - tail) - high);
  if (power === 1024) return scaled * 2 * 2 ** 1023;
  return power >= -1021 ? scaled * 2 ** power : scaled * 2 ** (power + 1000) * 2 ** -1000;
}
