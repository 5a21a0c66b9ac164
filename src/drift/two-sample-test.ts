import { seededNumbers } from '../evaluation/intervals/seeded-numbers.ts';

/**
 * How far two samples are apart. Both numbers are about the difference of their shares below a value (numbers) or of
 * a label (labels).
 */
export interface SampleDistance {
  /** the greatest difference of the shares, 0..1: Kolmogorov–Smirnov's distance, or that of total variation */
  readonly effect: number;
  /** what is tested: Cramér and von Mises' sum of squares, or χ² */
  readonly statistic: number;
  /** where the greatest difference is: the highest value of the lower part, or the number of the label */
  readonly at: number;
  /** whether the later sample has the larger share there */
  readonly isLaterMore: boolean;
}

/** Values of units: a unit is drawn as a whole, such as a frame with its boxes, or a video with its frames. */
export interface UnitValues {
  readonly value: Float64Array;
  /** number of the unit of each value */
  readonly unit: Uint32Array;
  /** how many units there are; those of the reference come first */
  readonly unitCount: number;
  readonly referenceUnits: number;
}

const nothingToCompare: SampleDistance = { effect: 0, statistic: 0, at: 0, isLaterMore: false };

type Distance = (isLater: Uint8Array) => SampleDistance;

/**
 * Measures how far apart the values of two groups of units lie, by the squared distance of their distribution functions
 * at every value (Anderson, On the distribution of the two-sample Cramér–von Mises criterion, 1962). Equal values count
 * once, at their end.
 *
 * @returns a function that measures for any choice of later units
 */
export function numberDistance({ value, unit }: Pick<UnitValues, 'value' | 'unit'>): Distance {
  const order = Uint32Array.from(value, (_, at) => at).sort((a, b) => value[a]! - value[b]!);
  const sorted = Float64Array.from(order, (at) => value[at]!);
  const units = Uint32Array.from(order, (at) => unit[at]!);
  return (isLater) => {
    let later = 0;
    for (const of of units) later += isLater[of]!;
    const before = units.length - later;
    // In whole numbers, so that equal distances are equal: shares times both sizes.
    let [below, squares, greatest, at, isLaterMore, equal] = [0, 0, 0, 0, false, 0];
    for (let place = 0; place < units.length; place++) {
      below += isLater[units[place]!]!;
      equal++;
      if (place + 1 < units.length && sorted[place + 1] === sorted[place]) continue;
      const apart = below * before - (place + 1 - below) * later;
      squares += equal * apart * apart;
      equal = 0;
      if (Math.abs(apart) <= greatest) continue;
      greatest = Math.abs(apart);
      at = sorted[place]!;
      isLaterMore = apart < 0; // the later sample has fewer low values, so more high ones
    }
    const product = later * before;
    if (product === 0) return nothingToCompare;
    return { effect: greatest / product, statistic: squares / (product * units.length ** 2), at, isLaterMore };
  };
}

/**
 * Measures how far apart the label mixes of two groups of units lie, by χ² of the table of labels.
 *
 * @param values numbers of labels, from 0 below `labelCount`
 * @returns a function that measures for any choice of later units
 */
export function labelDistance({ value, unit }: Pick<UnitValues, 'value' | 'unit'>, labelCount: number): Distance {
  const all = new Float64Array(labelCount);
  for (const label of value) all[label]!++;
  return (isLater) => {
    const counts = new Float64Array(labelCount);
    let later = 0;
    for (let row = 0; row < value.length; row++) {
      if (isLater[unit[row]!] === 0) continue;
      counts[value[row]!]!++;
      later++;
    }
    const before = value.length - later;
    if (later === 0 || before === 0) return nothingToCompare;
    let [statistic, total, most, at, isLaterMore] = [0, 0, 0, 0, false];
    for (let label = 0; label < labelCount; label++) {
      const apart = counts[label]! / later - (all[label]! - counts[label]!) / before;
      if (all[label]! > 0) statistic += (apart * apart) / (all[label]! / value.length);
      total += Math.abs(apart);
      if (Math.abs(apart) <= most) continue;
      most = Math.abs(apart);
      at = label;
      isLaterMore = apart > 0;
    }
    return { effect: total / 2, statistic: (statistic * later * before) / value.length, at, isLaterMore };
  };
}

/**
 * Tests by permutation whether two groups of units have one distribution: which units are the later ones is drawn anew,
 * and counted how often that gives as large a distance. The level is exact with ties, with boxes that share a frame and
 * with frames that share a video, because units are exchanged as a whole.
 *
 * @param distance of `numberDistance` or `labelDistance`
 * @param units how many there are, those of the reference first
 * @param permutations how many are drawn
 * @param seed any whole number; the same one gives the same answer
 * @returns the measured distance, and how likely one as large is if nothing changed
 */
export function permutationTest(
  distance: Distance,
  { unitCount, referenceUnits }: Pick<UnitValues, 'unitCount' | 'referenceUnits'>,
  permutations: number,
  seed: number,
): SampleDistance & { readonly pValue: number } {
  const isLater = Uint8Array.from({ length: unitCount }, (_, unit) => (unit < referenceUnits ? 0 : 1));
  const seen = distance(isLater);
  const next = seededNumbers(seed);
  // Sums of the same terms in another order differ in their last bits.
  const least = seen.statistic * (1 - 1e-9);
  let asLarge = 0;
  for (let drawn = 0; drawn < permutations; drawn++) {
    for (let at = unitCount - 1; at > 0; at--) {
      const other = Math.floor((next() / 2 ** 32) * (at + 1));
      [isLater[at], isLater[other]] = [isLater[other]!, isLater[at]!];
    }
    if (distance(isLater).statistic >= least) asLarge++;
  }
  return { ...seen, pValue: (1 + asLarge) / (1 + permutations) };
}
