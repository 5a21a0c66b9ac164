import type { TruthSet } from '../evaluation.ts';
import type { LabelMatches } from '../match/match-boxes.ts';
import { keptAt } from './label-sweep.ts';

/** Which results and truth are what at given thresholds: rows of the two sets. */
export interface SettledBoxes {
  /** by row of truth: the result of its label that found it, -1: none */
  readonly foundBy: Int32Array<ArrayBuffer>;
  /** kept results that found nothing and are not ignored */
  readonly falseRows: Uint32Array<ArrayBuffer>;
  /** counted truth that no kept result found */
  readonly missedRows: Uint32Array<ArrayBuffer>;
}

/**
 * @param matches of `matchBoxes`, at its first IoU and size
 * @param truth what is there
 * @param thresholds the lowest score that is kept, by label number
 * @returns what is true, false and missed, box by box
 * @example
 * import { DetectionSetBuilder, TruthSetBuilder } from '../build-sets.ts';
 * import { matchBoxes } from '../match/match-boxes.ts';
 * const truth = new TruthSetBuilder();
 * truth.add(0, 0, [0, 0, 10, 10]);
 * const found = new DetectionSetBuilder();
 * found.add(0, 0, [0, 0, 10, 10], 0.9);
 * found.add(0, 0, [50, 0, 10, 10], 0.6);
 * const matches = matchBoxes(truth.build(), found.build(), { imageCount: 1, labels: ['cup'] });
 * [...settleBoxes(matches, truth.build(), [0.5]).falseRows]; // => [1]
 */
export function settleBoxes(
  matches: readonly LabelMatches[],
  truth: TruthSet,
  thresholds: ArrayLike<number>,
): SettledBoxes {
  const foundBy = new Int32Array(truth.count).fill(-1);
  const falseRows: number[] = [];
  const missedRows: number[] = [];
  for (const found of matches) {
    const outcome = found.outcomes[0]!;
    const kept = keptAt(found, thresholds[found.label] ?? 0);
    for (let at = 0; at < kept; at++) {
      if ((outcome[at]! & 1) === 1) foundBy[found.truthRow[at]!] = found.row[at]!;
      else if (((outcome[at]! >>> 16) & 1) === 0) falseRows.push(found.row[at]!);
    }
    for (const row of found.countedRow) if (foundBy[row] === -1) missedRows.push(row);
  }
  return { foundBy, falseRows: Uint32Array.from(falseRows), missedRows: Uint32Array.from(missedRows) };
}
