import { binomialShare, normalQuantile, studentQuantile } from './quantiles.ts';
import { ratioOf, type RatioFacts } from './ratio-interval.ts';

/** A share that was counted over units, with what it is at least. */
export interface BoundedShare {
  /** sums over the units */
  readonly right: number;
  readonly of: number;
  /** images, or clips of video, that have something to count */
  readonly units: number;
  /** how many units of equal size they are worth; at most `units` */
  readonly evenUnits: number;
  /** how many independent trials that is worth; at most `evenUnits` */
  readonly trials: number;
  /** one-sided: on other frames the share is at least this, with the confidence asked for */
  readonly bound: number;
}

/**
 * The one-sided lower bound of a share that is counted over units, such as recall over images: Clopper and Pearson's exact
 * binomial bound, for as many trials as the boxes are worth. Where no unit has more than one box, each box is a trial and
 * the bound is exact. Else boxes of one unit may go wrong together: the trials follow from how much the units differ
 * (Korn and Graubard, Survey Methodology 24, 1998), rounded to the safe side and at most one a unit, and the bound is never
 * better than that of units of which nothing went wrong. Units of unequal size are worth as many equal ones as Kish's effective number says
 * ((Σw)²/Σw², Survey Sampling, 1965): a unit with many boxes weighs more than others when it goes wrong.
 *
 * @param parts of each unit, at most its whole
 * @param wholes of each unit; 0 where the unit says nothing
 * @param confidence above 0.5 and below 1
 * @returns null: there is nothing to divide by
 * @example
 * const ones = new Array(45).fill(1);
 * lowerBound(ones, ones, 0.9).bound.toFixed(4); // => '0.9501'
 */
export function lowerBound(
  parts: ArrayLike<number>,
  wholes: ArrayLike<number>,
  confidence: number,
): BoundedShare | null {
  const facts = ratioOf(parts, wholes);
  if (!facts) return null;
  const counted = countedShare(facts, confidence);
  return { ...counted, bound: boundOfCounts(counted, confidence) };
}

/**
 * The counts of `lowerBound`, of sums that somebody has kept.
 *
 * @param facts sums over the units, and how they vary
 * @param confidence above 0.5 and below 1
 * @returns what `boundOfCounts` takes
 * @example countedShare({ value: 1, whole: 3, variance: 0, units: 3, evenUnits: 3 }, 0.9).trials; // => 3
 */
export function countedShare(
  { value, whole, variance, units, evenUnits: even }: Omit<RatioFacts, 'freedom'>,
  confidence: number,
): Omit<BoundedShare, 'bound'> {
  const evenUnits = Math.floor(even + 1e-9);
  const trials = units === whole ? whole : worthOf(value * (1 - value), variance, { units, evenUnits }, confidence);
  return { right: Math.round(value * whole), of: whole, units, evenUnits, trials };
}

type UnitCounts = Pick<BoundedShare, 'units' | 'evenUnits'>;

function worthOf(spread: number, variance: number, { units, evenUnits }: UnitCounts, confidence: number): number {
  // Without a spread to see, each unit is one trial: its boxes may all go wrong together.
  if (spread === 0 || variance === 0) return evenUnits;
  const factor = (normalQuantile(confidence) / studentQuantile(confidence, Math.max(1, units - 1))) ** 2;
  return Math.max(1, Math.floor(Math.min(evenUnits, (spread / variance) * factor)));
}

/**
 * The lower bound of `lowerBound`, of its counts.
 *
 * @param counted how many are right of how many, in how many units, worth how many trials
 * @param confidence above 0.5 and below 1
 * @returns 0 to 1
 * @example
 * boundOfCounts({ right: 210, of: 212, evenUnits: 212, trials: 212 }, 0.9).toFixed(4); // => '0.9751'
 */
export function boundOfCounts(
  { right, of, evenUnits, trials }: Omit<BoundedShare, 'bound' | 'units'>,
  confidence: number,
): number {
  const wrong = wrongOf({ right, of, trials });
  return Math.min(exactBound(wrong, trials, confidence), exactBound(0, evenUnits, confidence));
}

/**
 * Whether the bound of `lowerBound` reaches a share: one test, where the bound itself is searched for.
 *
 * @param counted how many are right of how many, in how many units, worth how many trials
 * @param atLeast the share, below 1
 * @param confidence above 0.5 and below 1
 * @returns whether the bound is at least so high
 * @example
 * const ofAll = (count: number) => ({ right: count, of: count, evenUnits: count, trials: count });
 * [44, 45].map((count) => isAtLeast(ofAll(count), 0.95, 0.9)); // => [false, true]
 */
export function isAtLeast(
  { right, of, evenUnits, trials }: Omit<BoundedShare, 'bound' | 'units'>,
  atLeast: number,
  confidence: number,
): boolean {
  const wrong = wrongOf({ right, of, trials });
  const isUnlikely = (most: number, count: number): boolean =>
    binomialShare(most, count, 1 - atLeast) <= 1 - confidence + 1e-12;
  return wrong < trials && isUnlikely(wrong, trials) && isUnlikely(0, evenUnits);
}

/** How many of the trials are wrong, rounded to the safe side. */
const wrongOf = ({ right, of, trials }: Pick<BoundedShare, 'right' | 'of' | 'trials'>): number =>
  Math.ceil((1 - right / of) * trials - 1e-9);

/**
 * How many trials of which none goes wrong a bound takes at least.
 *
 * @param atLeast the bound, below 1
 * @param confidence above 0.5 and below 1
 * @returns a whole number
 * @example trialsNeeded(0.95, 0.9); // => 45
 */
export function trialsNeeded(atLeast: number, confidence: number): number {
  return atLeast <= 0 ? 1 : Math.ceil(Math.log(1 - confidence) / Math.log(atLeast) - 1e-9);
}

/** The smallest share under which so few wrong ones among the trials have at least the chance 1 − confidence. */
function exactBound(wrong: number, trials: number, confidence: number): number {
  if (wrong >= trials) return 0;
  let [low, high] = [0, 1];
  while (high - low > 1e-12) {
    const middle = (low + high) / 2;
    if (binomialShare(wrong, trials, 1 - middle) < 1 - confidence) low = middle;
    else high = middle;
  }
  return low;
}
