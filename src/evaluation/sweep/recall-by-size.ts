import type { TruthSet } from '../evaluation.ts';
import type { LabelMatches } from '../match/match-boxes.ts';

/** The truth that counts, with the lowest threshold that misses it. */
export interface TruthSizes {
  /** by truth: number of its size in `sizeEdges` */
  readonly bin: Uint8Array;
  readonly label: Uint32Array;
  /** score of the result that finds it; -Infinity: none does */
  readonly foundAt: Float64Array;
}

/** Truth of like size. */
export interface SizeRecall {
  /** square root of the area in pixels, from this on and below the other */
  readonly from: number;
  readonly below: number;
  readonly truth: number;
  readonly found: number;
}

/** Sizes at which truth is parted, in pixels; COCO's small and large end and begin at 32 and 96. */
export const sizeEdges = [0, 16, 32, 64, 96, 192, 384] as const;

/**
 * @param matches of `matchBoxes`, at its first IoU and size
 * @param truth what is there
 * @returns each counted truth's size, and from which score on it is found
 * @example
 * import { DetectionSetBuilder, TruthSetBuilder } from '../build-sets.ts';
 * import { matchBoxes } from '../match/match-boxes.ts';
 * const truth = new TruthSetBuilder();
 * truth.add(0, 0, [0, 0, 40, 40]);
 * const found = new DetectionSetBuilder();
 * found.add(0, 0, [0, 0, 40, 40], 0.9);
 * const matches = matchBoxes(truth.build(), found.build(), { imageCount: 1, labels: ['cup'] });
 * const { bin, foundAt } = truthSizes(matches, truth.build());
 * [bin[0], foundAt[0]]; // => [2, 0.9]
 */
export function truthSizes(matches: readonly LabelMatches[], truth: TruthSet): TruthSizes {
  const foundAt = new Float64Array(truth.count).fill(-Infinity);
  for (const { outcomes, truthRow, score } of matches) {
    for (const [at, bits] of outcomes[0]!.entries()) if ((bits & 1) === 1) foundAt[truthRow[at]!] = score[at]!;
  }
  const rows = matches.flatMap(({ countedRow }) => [...countedRow]);
  const binOf = (area: number): number => sizeEdges.findLastIndex((from) => Math.sqrt(area) >= from);
  return {
    bin: Uint8Array.from(rows, (row) => Math.max(0, binOf(truth.area[row]!))),
    label: Uint32Array.from(rows, (row) => truth.label[row]!),
    foundAt: Float64Array.from(rows, (row) => foundAt[row]!),
  };
}

/**
 * Recall by the size of what is there, at thresholds; fast enough for one that is dragged.
 *
 * @param sizes of `truthSizes`
 * @param thresholds the lowest score that is kept, by label number
 * @param label the one that is asked for; null: all
 * @returns the sizes that occur, ascending
 * @example
 * import { DetectionSetBuilder, TruthSetBuilder } from '../build-sets.ts';
 * import { matchBoxes } from '../match/match-boxes.ts';
 * const truth = new TruthSetBuilder();
 * truth.add(0, 0, [0, 0, 10, 10]);
 * truth.add(0, 0, [90, 0, 40, 40]);
 * const found = new DetectionSetBuilder();
 * found.add(0, 0, [90, 0, 40, 40], 0.9);
 * const matches = matchBoxes(truth.build(), found.build(), { imageCount: 1, labels: ['cup'] });
 * const bySize = recallBySize(truthSizes(matches, truth.build()), [0.5], null);
 * bySize.map(({ from, below, found }) => [from, below, found]); // => [[0, 16, 0], [32, 64, 1]]
 */
export function recallBySize(
  { bin, label: labels, foundAt }: TruthSizes,
  thresholds: ArrayLike<number>,
  label: number | null,
): SizeRecall[] {
  const [truth, found] = [new Uint32Array(sizeEdges.length), new Uint32Array(sizeEdges.length)];
  for (let at = 0; at < bin.length; at++) {
    if (label !== null && labels[at] !== label) continue;
    truth[bin[at]!]!++;
    if (foundAt[at]! - thresholds[labels[at]!]! >= 0) found[bin[at]!]!++;
  }
  return sizeEdges
    .map((from, at) => ({ from, below: sizeEdges[at + 1] ?? Infinity, truth: truth[at]!, found: found[at]! }))
    .filter((size) => size.truth > 0);
}
