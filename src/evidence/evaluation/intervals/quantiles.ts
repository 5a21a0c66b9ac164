/** The normal distribution up to x, by the series of its integral. */
export function normalShare(x: number): number {
  if (Math.abs(x) > 8) return x > 0 ? 1 : 0;
  let term = x;
  let sum = x;
  for (let odd = 3; Math.abs(term) > 1e-17 * Math.abs(sum); odd += 2) {
    term *= (x * x) / odd;
    sum += term;
  }
  return 0.5 + sum * density(x);
}

const density = (x: number): number => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);

/**
 * @param share 0..1
 * @returns the number below which that share of a normal distribution lies
 * @example normalQuantile(0.975); // 1.96
 */
export function normalQuantile(share: number): number {
  let [low, high] = [-8, 8];
  while (high - low > 1e-12) {
    const middle = (low + high) / 2;
    if (normalShare(middle) < share) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/**
 * Student's quantile: exact for one and two degrees of freedom, else by its expansion about the normal one, which is
 * good to a thousandth from three degrees on.
 *
 * @param share 0..1
 * @param freedom degrees of freedom, from 1
 * @returns the number below which that share of the distribution lies
 * @example studentQuantile(0.975, 10); // 2.228
 */
export function studentQuantile(share: number, freedom: number): number {
  if (freedom <= 1) return Math.tan(Math.PI * (share - 0.5));
  if (freedom <= 2) {
    const tail = 2 * share - 1;
    return tail * Math.sqrt(2 / (1 - tail * tail));
  }
  const z = normalQuantile(share);
  const square = z * z;
  const terms = [
    (z * (square + 1)) / 4,
    (z * ((5 * square + 16) * square + 3)) / 96,
    (z * (((3 * square + 19) * square + 17) * square - 15)) / 384,
    (z * ((((79 * square + 776) * square + 1482) * square - 1920) * square - 945)) / 92160,
  ];
  return terms.reduce((sum, term, at) => sum + term / freedom ** (at + 1), z);
}

/**
 * @param value how many standard errors a number lies from 0
 * @param freedom degrees of freedom of the standard error, from 1
 * @returns how likely a number lies so far from 0 or farther, on either side, where it is 0 in truth
 * @example studentPValue(2.228, 10).toFixed(3); // => '0.050'
 */
export function studentPValue(value: number, freedom: number): number {
  let [low, high] = [0.5, 1];
  while (high - low > 1e-12) {
    const middle = (low + high) / 2;
    if (studentQuantile(middle, freedom) < Math.abs(value)) low = middle;
    else high = middle;
  }
  return 2 * (1 - low);
}

/**
 * @param most up to how many successes
 * @param trials how many were tried
 * @param chance of each
 * @returns how likely there are so few
 * @example binomialShare(1, 2, 0.5); // 0.75
 */
export function binomialShare(most: number, trials: number, chance: number): number {
  if (most >= trials || chance <= 0) return 1;
  if (chance >= 1) return 0;
  const [logHit, logMiss] = [Math.log(chance), Math.log1p(-chance)];
  let [logWays, sum] = [0, 0];
  for (let hits = 0; hits <= most; hits++) {
    sum += Math.exp(logWays + hits * logHit + (trials - hits) * logMiss);
    logWays += Math.log(trials - hits) - Math.log(hits + 1);
  }
  return Math.min(1, sum);
}
