import { seededNumbers } from '../evaluation/face/intervals.ts';

/** How far two samples are apart, in their shares below a value (numbers), or of frames that show a label (labels). */
export interface SampleDistance {
  /** the greatest difference of the shares, 0..1; of numbers it is Kolmogorov and Smirnov's distance */
  readonly effect: number;
  /** the statistic that is tested: the sum of the squared differences, of numbers that of Cramér and von Mises */
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
 * Measures how far apart two groups of units lie in which labels their frames show: the sum of the squared differences
 * of the shares of frames that show each. Frequent labels weigh most: of many rare ones χ² sees chance alone.
 *
 * @param values numbers of labels, from 0 below `labelCount`, each once a frame
 * @param unitOfFrame of every frame, those without labels too
 * @returns a function that measures for any choice of later units
 */
export function labelDistance(
  { value, unit }: Pick<UnitValues, 'value' | 'unit'>,
  labelCount: number,
  unitOfFrame: Uint32Array,
): Distance {
  const all = new Float64Array(labelCount);
  for (const label of value) all[label]!++;
  return (isLater) => {
    const counts = new Float64Array(labelCount);
    for (let row = 0; row < value.length; row++) if (isLater[unit[row]!] === 1) counts[value[row]!]!++;
    let later = 0;
    for (const of of unitOfFrame) later += isLater[of]!;
    const before = unitOfFrame.length - later;
    const product = later * before;
    if (product === 0) return nothingToCompare;
    let [squares, greatest, at, isLaterMore] = [0, 0, 0, false];
    for (let label = 0; label < labelCount; label++) {
      const apart = counts[label]! * before - (all[label]! - counts[label]!) * later;
      squares += apart * apart;
      if (Math.abs(apart) <= greatest) continue;
      greatest = Math.abs(apart);
      at = label;
      isLaterMore = apart > 0;
    }
    return { effect: greatest / product, statistic: squares / (product * unitOfFrame.length ** 2), at, isLaterMore };
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
