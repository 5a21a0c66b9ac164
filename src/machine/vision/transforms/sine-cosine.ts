// Coefficients and reduction of the Cephes Mathematical Library (Stephen L. Moshier, netlib.org/cephes, sin.c), as Go's math.Sincos
// has them: engines of JavaScript round the last bit of some angles otherwise, and a turned frame shows it.
const sineTerms = [
  1.5896230157654656e-10, -2.5050747762857807e-8, 0.0000027557313621385722, -0.0001984126982958954,
  0.008333333333322118, -0.1666666666666663,
];
const cosineTerms = [
  -1.1358536521387682e-11, 2.087570084197473e-9, -2.755731417929674e-7, 0.000024801587288851704, -0.0013888888888873056,
  0.041666666666666595,
];
/** π/4 in three parts, so that a multiple of it is taken away without rounding. */
const quarterPi = [0.7853981256484985, 3.774894707930798e-8, 2.6951514290790595e-15] as const;

/** Sine and cosine of an angle from 0 to a few turns, to the bit as Go computes them on amd64 (on arm64 it fuses steps of it). */
export function sineAndCosine(radians: number): [sine: number, cosine: number] {
  let octant = Math.trunc(radians * (4 / Math.PI));
  if (octant % 2 === 1) octant++; // to the nearest even one: the rest is within ±π/4
  const rest = radians - octant * quarterPi[0] - octant * quarterPi[1] - octant * quarterPi[2];
  const square = rest * rest;
  const cosine = 1 - 0.5 * square + square * square * polynomial(cosineTerms, square);
  const sine = rest + rest * square * polynomial(sineTerms, square);
  switch (octant % 8) {
    case 0:
      return [sine, cosine];
    case 2:
      return [cosine, -sine];
    case 4:
      return [-sine, -cosine];
    default:
      return [-cosine, sine];
  }
}

function polynomial(terms: readonly number[], x: number): number {
  return terms.reduce((sum, term) => sum * x + term, 0);
}
