import { normalQuantile, studentPValue, studentQuantile } from './quantiles.ts';

/** A figure with the interval that holds it on other frames in 95 of 100 cases. */
export interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

const level = 0.975;
const z = normalQuantile(level);

/** Sums over units, and how they vary. Units are images, or clips of video: what was drawn together counts once. */
export interface RatioFacts {
  readonly value: number;
  readonly whole: number;
  /** variance of the value, by linearization */
  readonly variance: number;
  /** units that have something to divide by */
  readonly units: number;
  /** how many units of equal size they are worth: Kish's effective number, not rounded */
  readonly evenUnits: number;
  /** degrees of freedom of the variance: fewer than units − 1 where a few units make most of it */
  readonly freedom: number;
}

/** Sums of a share over units; null: there is nothing to divide by. */
export function ratioOf(parts: ArrayLike<number>, wholes: ArrayLike<number>): RatioFacts | null {
  let [part, whole, units, wholeSquares] = [0, 0, 0, 0];
  const all = wholes.length;
  for (let unit = 0; unit < all; unit++) {
    part += parts[unit]!;
    whole += wholes[unit]!;
    wholeSquares += wholes[unit]! ** 2;
    if (wholes[unit]! > 0) units++;
  }
  if (whole === 0) return null;
  const value = part / whole;
  let [squares, fourths] = [0, 0];
  for (let unit = 0; unit < all; unit++) {
    const square = (parts[unit]! - value * wholes[unit]!) ** 2;
    squares += square;
    fourths += square ** 2;
  }
  const variance = units < 2 ? 0 : (units / (units - 1)) * (squares / whole ** 2);
  const freedom = freedomOf(units, squares === 0 ? 0 : (units * fourths) / squares ** 2);
  return { value, whole, variance, units, evenUnits: whole ** 2 / wholeSquares, freedom };
}

/**
 * Degrees of freedom of a variance that is estimated from numbers of this kurtosis: those of the chi-square distribution that
 * varies as much (Satterthwaite, Biometrics Bulletin 2, 1946). One less than there are units where these are normal, fewer
 * where tails are heavy.
 */
function freedomOf(units: number, kurtosis: number): number {
  if (units < 3) return 1;
  return Math.max(1, Math.min(units - 1, (2 * units) / (Math.max(0, kurtosis - 1) + 2 / (units - 1))));
}

/**
 * The interval of a share that is counted over units, such as precision over images: Wilson's, for as many independent
 * trials as the units' own spread says, with Student's factor for few units. It neither leaves 0..1 nor collapses where
 * nothing was wrong, and is never nearer to 0 or 1 than were nothing, or all, seen right in so many units of equal size: a
 * rare kind of unit may not be among them.
 *
 * @param parts of each unit, at most its whole
 * @param wholes of each unit; 0 where the unit says nothing
 * @param moreVariance what else the figure varies by, besides which units were drawn
 * @param freedom at most so many degrees of freedom of its spread; default: those of the units
 * @returns null: there is nothing to divide by
 * @example
 * shareInterval([2, 3], [2, 4]).value.toFixed(3); // => '0.833'
 */
export function shareInterval(
  parts: ArrayLike<number>,
  wholes: ArrayLike<number>,
  moreVariance = 0,
  freedom: number | null = null,
): Estimate | null {
  const facts = ratioOf(parts, wholes);
  if (!facts) return null;
  const { value, whole, evenUnits } = facts;
  const variance = facts.variance + moreVariance;
  const spread = value * (1 - value);
  // Without a spread to see, each unit is one trial: its boxes may all go wrong together.
  const seen = spread === 0 || variance === 0 ? evenUnits : Math.min(spread / variance, whole);
  const factor = (z / studentQuantile(level, Math.min(freedom ?? Infinity, facts.freedom))) ** 2;
  const interval = wilsonInterval(value, Math.max(1, seen * factor));
  const none = wilsonInterval(0, evenUnits).high;
  return { value, low: Math.min(interval.low, Math.max(0, 1 - none)), high: Math.max(interval.high, none) };
}

/**
 * Wilson's interval of a share (Probable inference, the law of succession, and statistical inference, 1927).
 *
 * @param value the share that was seen, 0..1
 * @param trials how many independent ones it stands on; need not be whole
 * @returns the share with its interval, within 0..1
 * @example
 * wilsonInterval(0.5, 100).low.toFixed(3); // => '0.404'
 */
export function wilsonInterval(value: number, trials: number): Estimate {
  const middle = (value + z ** 2 / (2 * trials)) / (1 + z ** 2 / trials);
  const half = (z / (1 + z ** 2 / trials)) * Math.sqrt((value * (1 - value)) / trials + z ** 2 / (4 * trials ** 2));
  return { value, low: Math.max(0, Math.min(value, middle - half)), high: Math.min(1, Math.max(value, middle + half)) };
}

/**
 * The interval of a count over exposure, such as false boxes over frames: the score interval of a count, made wider by
 * how much more the units vary than independent events would. It never ends below what it would were nothing seen in so many
 * units of equal size, each taken for one trial: the frames of one clip may all have the same false box.
 *
 * @param counts of each unit
 * @param exposures of each unit
 * @param moreVariance what else the figure varies by, besides which units were drawn
 * @param freedom at most so many degrees of freedom of its spread; default: those of the units
 * @returns null: there is no exposure
 * @example rateInterval([0, 2, 1], [1, 1, 1]); // one a frame
 */
export function rateInterval(
  counts: ArrayLike<number>,
  exposures: ArrayLike<number>,
  moreVariance = 0,
  freedom: number | null = null,
): Estimate | null {
  const facts = ratioOf(counts, exposures);
  if (!facts) return null;
  const { value, whole, evenUnits } = facts;
  const variance = facts.variance + moreVariance;
  const factor = studentQuantile(level, Math.min(freedom ?? Infinity, facts.freedom));
  const exposure = value === 0 || variance === 0 ? evenUnits : Math.min(whole, value / variance);
  const count = value * exposure;
  const half = factor * Math.sqrt(count + factor ** 2 / 4);
  return {
    value,
    low: Math.max(0, (count + factor ** 2 / 2 - half) / exposure),
    high: Math.max((count + factor ** 2 / 2 + half) / exposure, factor ** 2 / evenUnits),
  };
}

/** A difference with its interval. */
export interface Difference extends Estimate {
  /** how likely so large a difference is, were there none in truth */
  readonly pValue: number;
}

/**
 * A difference with its interval, from its standard error.
 *
 * @param value -1..1
 * @param standardError null: a single unit, which tells nothing
 * @param freedom degrees of freedom of the standard error
 * @returns within -1..1
 * @example differenceOf(0.1, 0.05, 10).high.toFixed(3); // => '0.211'
 */
export function differenceOf(value: number, standardError: number | null, freedom: number): Difference {
  const half = standardError === null ? 1 : studentQuantile(level, freedom) * standardError;
  const isSure = standardError === 0 && value !== 0;
  const pValue = !standardError ? (isSure ? 0 : 1) : studentPValue(value / standardError, freedom);
  return { value, low: Math.max(-1, value - half), high: Math.min(1, value + half), pValue };
}

/**
 * The interval of a difference of two figures that were counted on the same units: what both share cancels.
 *
 * @param first parts and wholes of each unit
 * @param second the same of the other
 * @returns second − first, within -1..1 for shares; null where one has nothing to divide by
 * @example pairedDifference({ parts: [1, 0], wholes: [1, 1] }, { parts: [1, 1], wholes: [1, 1] });
 */
export function pairedDifference(first: CountedUnits, second: CountedUnits): Difference | null {
  const [a, b] = [ratioOf(first.parts, first.wholes), ratioOf(second.parts, second.wholes)];
  if (!a || !b) return null;
  const units = Math.max(a.units, b.units);
  let [squares, fourths] = [0, 0];
  for (let unit = 0; unit < first.wholes.length; unit++) {
    const ofFirst = (first.parts[unit]! - a.value * first.wholes[unit]!) / a.whole;
    const ofSecond = (second.parts[unit]! - b.value * second.wholes[unit]!) / b.whole;
    const square = (ofSecond - ofFirst) ** 2;
    squares += square;
    fourths += square ** 2;
  }
  const value = b.value - a.value;
  const freedom = freedomOf(units, squares === 0 ? 0 : (units * fourths) / squares ** 2);
  return differenceOf(value, units < 2 ? null : Math.sqrt((units / (units - 1)) * squares), freedom);
}

export interface CountedUnits {
  readonly parts: ArrayLike<number>;
  readonly wholes: ArrayLike<number>;
}
