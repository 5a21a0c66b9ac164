import type { TruthSet } from '../evaluation.ts';
import type { LabelMatches } from '../match/match-boxes.ts';
import { keptAt } from './label-sweep.ts';

/** The truth of one label and size. */
export interface TruthOfSize {
  readonly label: number;
  /** number of the size in `sizeEdges` */
  readonly bin: number;
  readonly truth: number;
  /** scores of the results that find it, falling; truth that none finds has no score here */
  readonly score: Float64Array;
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
 * @returns the counted truth by label and size, and from which scores on it is found
 * @example
 * import { DetectionSetBuilder, TruthSetBuilder } from '../build-sets.ts';
 * import { matchBoxes } from '../match/match-boxes.ts';
 * const truth = new TruthSetBuilder();
 * truth.add(0, 0, [0, 0, 40, 40]);
 * const found = new DetectionSetBuilder();
 * found.add(0, 0, [0, 0, 40, 40], 0.9);
 * const matches = matchBoxes(truth.build(), found.build(), { imageCount: 1, labels: ['cup'] });
 * truthBySize(matches, truth.build()); // => [{ label: 0, bin: 2, truth: 1, score: Float64Array.of(0.9) }]
 */
export function truthBySize(matches: readonly LabelMatches[], { area }: TruthSet): TruthOfSize[] {
  const binOf = (row: number): number => sizeEdges.findLastIndex((from) => Math.sqrt(area[row]!) >= from);
  return matches.flatMap(({ label, countedRow, outcomes, truthRow, score }) => {
    const truth = new Uint32Array(sizeEdges.length);
    const scores = sizeEdges.map((): number[] => []);
    for (const row of countedRow) truth[binOf(row)]!++;
    for (const [at, bits] of outcomes[0]!.entries()) {
      if ((bits & 1) === 1) scores[binOf(truthRow[at]!)]!.push(score[at]!);
    }
    const sizes = scores.map((own, bin) => ({ label, bin, truth: truth[bin]!, score: Float64Array.from(own) }));
    return sizes.filter((size) => size.truth > 0);
  });
}

/**
 * Recall by the size of what is there, at thresholds; fast enough for one that is dragged.
 *
 * @param sizes of `truthBySize`
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
 * const bySize = recallBySize(truthBySize(matches, truth.build()), [0.5], null);
 * bySize.map(({ from, below, found }) => [from, below, found]); // => [[0, 16, 0], [32, 64, 1]]
 */
export function recallBySize(
  sizes: readonly TruthOfSize[],
  thresholds: ArrayLike<number>,
  label: number | null,
): SizeRecall[] {
  const [truth, found] = [new Uint32Array(sizeEdges.length), new Uint32Array(sizeEdges.length)];
  for (const size of sizes) {
    if (label !== null && size.label !== label) continue;
    truth[size.bin]! += size.truth;
    found[size.bin]! += keptAt(size, thresholds[size.label]!);
  }
  return sizeEdges
    .map((from, at) => ({ from, below: sizeEdges[at + 1] ?? Infinity, truth: truth[at]!, found: found[at]! }))
    .filter((size) => size.truth > 0);
}
