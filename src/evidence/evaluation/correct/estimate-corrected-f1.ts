import { studentQuantile, normalQuantile } from '../intervals/quantiles.ts';
import { wilsonInterval, type Estimate } from '../intervals/ratio-interval.ts';
import type { ImageCounts } from './image-counts.ts';

/** Images that were corrected, in the order of their turn. */
export interface CorrectedImages {
  /** numbers of the images: the first of `drawOrder` */
  readonly images: ArrayLike<number>;
  /** how likely each was to be among them, of `chancesOf` */
  readonly chances: ArrayLike<number>;
  /** counts of all images; only those of corrected ones are read */
  readonly counts: ImageCounts;
  /** how many images there are, corrected or not */
  readonly total: number;
}

const level = 0.975;
const z = normalQuantile(level);
/** Images with a chance below 1 that are needed: fewer do not show how much the images that are not corrected may vary. */
const fewestByChance = 8;

/** Images among these that must show a box: where a thing is rare, most show nothing, and F1 is that of a few. */
const fewestInformed = 6;

/** Sums over corrected images, each weighed by how likely it was to be drawn. */
class WeightedSums {
  readonly #known: readonly Float64Array[];
  readonly #known2: number[][];
  readonly #sums: number[];
  readonly #withTwice: number[];
  readonly #withAll: number[];
  #twice = 0;
  #all = 0;

  constructor(known: readonly Float64Array[]) {
    this.#known = known;
    this.#known2 = known.map(() => known.map(() => 0));
    this.#sums = known.map(() => 0);
    this.#withTwice = known.map(() => 0);
    this.#withAll = known.map(() => 0);
  }

  add(image: number, weight: number, twice: number, all: number): void {
    this.#twice += weight * twice;
    this.#all += weight * all;
    for (const [at, { [image]: x }] of this.#known.entries()) {
      const weighed = weight * x!;
      this.#sums[at]! += weighed;
      this.#withTwice[at]! += weighed * twice;
      this.#withAll[at]! += weighed * all;
      for (const [of, { [image]: y }] of this.#known.entries()) this.#known2[at]![of]! += weighed * y!;
    }
  }

  /** F1 with weights moved as little as makes the known sums right; null: there is nothing to divide by. */
  f1(totals: readonly number[]): number | null {
    const moved = solve(
      this.#known2,
      totals.map((total, at) => total - this.#sums[at]!),
    );
    const twice = moved.reduce((sum, by, at) => sum + by * this.#withTwice[at]!, this.#twice);
    const all = moved.reduce((sum, by, at) => sum + by * this.#withAll[at]!, this.#all);
    return all > 0 ? Math.min(1, Math.max(0, twice / all)) : null;
  }
}

/**
 * Estimates F1 of all images from those that were corrected, though these are not a random part: each counts as many
 * times as it was unlikely to be drawn (Horvitz and Thompson 1952), and the weights are moved so that what is known of
 * every image sums to its true total (Deville and Särndal, Calibration estimators in survey sampling, 1992). The
 * interval is of the jackknife: F1 without each image in turn, with as few degrees of freedom as the unevenness of these
 * differences says (Satterthwaite 1946). It speaks of these very images; none is taken to be independent of another.
 *
 * @param corrected the first images of the order
 * @param known numbers of every image that are known without correction, of `knownSums`
 * @returns F1 with its 95 % interval; null: fewer than eight images of a chance below 1 are corrected, or fewer than six of
 *   them have a box, and not all images are, or there is no box on them
 * @example
 * const zero = new Float64Array(9);
 * const counts = { truePositives: zero.with(0, 1), kept: zero.fill(1), truth: zero.fill(1) };
 * const all = Array.from({ length: 9 }, (_, image) => image);
 * estimateCorrectedF1({ images: all, chances: all.map(() => 1), counts: { ...counts, truePositives: counts.kept }, total: 9 }, []).value; // => 1
 */
export function estimateCorrectedF1(
  { images, chances, counts, total }: CorrectedImages,
  known: readonly Float64Array[],
): Estimate | null {
  const isWhole = images.length >= total;
  const byChance = Array.from(chances).filter((chance) => chance < 1).length;
  const informed = Array.from(images).filter(
    (image, turn) => chances[turn]! < 1 && counts.kept[image]! + counts.truth[image]! > 0,
  ).length;
  // Images that were certain to be drawn say nothing of the others.
  if (!isWhole && (byChance < fewestByChance || informed < fewestInformed)) return null;
  const totals = known.map((column) => column.reduce((sum, value) => sum + value, 0));
  const sums = new WeightedSums(known);
  const put = (turn: number, sign: number): void => {
    const image = images[turn]!;
    const all = counts.kept[image]! + counts.truth[image]!;
    sums.add(image, sign / chances[turn]!, 2 * counts.truePositives[image]!, all);
  };
  for (let turn = 0; turn < images.length; turn++) put(turn, 1);
  const value = sums.f1(totals);
  if (value === null) return null;
  if (isWhole) return { value, low: value, high: value };
  let [variance, squares] = [0, 0];
  for (let turn = 0; turn < images.length; turn++) {
    if (chances[turn]! >= 1) continue;
    put(turn, -1);
    const part = (1 - chances[turn]!) * ((sums.f1(totals) ?? value) - value) ** 2;
    put(turn, 1);
    variance += part;
    squares += part * part;
  }
  // All that were drawn by chance are alike, which says little where they are few.
  if (variance === 0) return wilsonInterval(value, byChance);
  const unevenness = (variance * variance) / squares;
  const freedom = Math.max(1, Math.min(byChance - Math.max(1, known.length), unevenness));
  const spread = Math.max(value * (1 - value), leastSpread(byChance));
  return wilsonInterval(value, Math.max(1, (spread / variance) * (z / studentQuantile(level, freedom)) ** 2));
}

/** Where all or none of the boxes were right, one image more might be otherwise. */
const leastSpread = (images: number): number => 1 / (2 * images);

/** Solves a symmetric system by elimination. What depends on others linearly is left out: it adds nothing. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, at) => [...row, right[at]!]);
  const size = rows.length;
  const scale = Math.max(...rows.map((row, at) => row[at]!), 0);
  for (let at = 0; at < size; at++) {
    const pivot = rows[at]![at]!;
    // Positive but for rounding, as a matrix of sums of squares is.
    if (pivot <= 1e-10 * scale) {
      rows[at] = rows[at]!.map((_, column) => (column === at ? 1 : 0));
      continue;
    }
    for (let other = 0; other < size; other++) {
      if (other === at) continue;
      const factor = rows[other]![at]! / pivot;
      for (let column = 0; column <= size; column++) rows[other]![column]! -= factor * rows[at]![column]!;
    }
  }
  return rows.map((row, at) => row[size]! / row[at]!);
}
