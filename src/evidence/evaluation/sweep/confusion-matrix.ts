import type { DetectionSet, EvaluationSpace, TruthSet } from '../evaluation.ts';
import { bestOverlap, rowsByImage } from './overlaps-in-image.ts';
import type { SettledBoxes } from './settle-boxes.ts';

export interface ConfusionMatrix {
  /** labels, and last the background; also how many rows and columns there are */
  readonly size: number;
  /** counts[truth · size + result]; the last row: results on background; the last column: truth that was missed */
  readonly counts: Uint32Array<ArrayBuffer>;
  /** the pairs that were counted, to open a cell's frames: rows of the sets, -1 for background */
  readonly pairs: readonly ConfusedPair[];
}

export interface ConfusedPair {
  readonly truthRow: number;
  readonly detectionRow: number;
}

/**
 * Truth against results, with background. The rule: first each result is matched to truth of its own label, as all
 * other figures do, so the diagonal holds the true positives of the same thresholds. What is left of both is paired
 * across labels, down the scores, each result with the free truth that it overlaps most, at least by `iou`. What is
 * left then is background: a false result, or missed truth. Ignored truth and results on it are not counted.
 *
 * @param truth what is there
 * @param detections what was found
 * @param space how many images and which labels
 * @param settled of `settleBoxes`, at the current thresholds
 * @param iou the overlap that a pair across labels needs
 * @returns counts and the pairs behind them
 * @example
 * import { DetectionSetBuilder, TruthSetBuilder } from '../build-sets.ts';
 * import { matchBoxes } from '../match/match-boxes.ts';
 * import { settleBoxes } from './settle-boxes.ts';
 * const truth = new TruthSetBuilder();
 * truth.add(0, 0, [0, 0, 10, 10]);
 * const found = new DetectionSetBuilder();
 * found.add(0, 0, [0, 0, 10, 10], 0.9);
 * found.add(0, 0, [50, 0, 10, 10], 0.6);
 * const space = { imageCount: 1, labels: ['cup'] };
 * const settled = settleBoxes(matchBoxes(truth.build(), found.build(), space), truth.build(), [0.5]);
 * [...confusionMatrix(truth.build(), found.build(), space, settled).counts]; // => [1, 0, 1, 0]
 */
export function confusionMatrix(
  truth: TruthSet,
  detections: DetectionSet,
  { labels }: EvaluationSpace,
  { foundBy, falseRows, missedRows }: SettledBoxes,
  iou = 0.5,
): ConfusionMatrix {
  const size = labels.length + 1;
  const pairs: ConfusedPair[] = [];
  for (const [truthRow, detectionRow] of foundBy.entries())
    if (detectionRow >= 0) pairs.push({ truthRow, detectionRow });
  const free = rowsByImage(truth, missedRows);
  const confused = new Set<number>();
  for (const detectionRow of byScore(detections, falseRows)) {
    const candidates = free.get(detections.image[detectionRow]!) ?? [];
    const best = bestOverlap(detections, detectionRow, truth, candidates, (row) => !confused.has(row));
    const truthRow = best.overlap >= iou ? best.row : -1;
    if (truthRow >= 0) confused.add(truthRow);
    pairs.push({ truthRow, detectionRow });
  }
  for (const truthRow of missedRows) if (!confused.has(truthRow)) pairs.push({ truthRow, detectionRow: -1 });
  const counts = new Uint32Array(size * size);
  for (const { truthRow, detectionRow } of pairs) {
    const row = truthRow < 0 ? size - 1 : truth.label[truthRow]!;
    const column = detectionRow < 0 ? size - 1 : detections.label[detectionRow]!;
    counts[row * size + column]!++;
  }
  return { size, counts, pairs };
}

/** The highest score first; equal ones in the order in which they came in. */
export function byScore({ score }: DetectionSet, rows: Uint32Array): Uint32Array {
  return rows.toSorted((a, b) => score[b]! - score[a]! || a - b);
}
