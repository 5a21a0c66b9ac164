import type { Detection, RawDetections } from '../results/detections.ts';
import type { Thresholds } from './thresholds.ts';

export type DropReason = 'below-threshold' | 'label-not-listed';

/** Why a row is not kept. */
export interface Drop {
  readonly reason: DropReason;
  readonly score: number;
  /** the score that the row would have needed; +Infinity where the label is not listed */
  readonly threshold: number;
}

/** The numbers of rows in the model's order. */
export interface FilteredRows {
  readonly kept: Uint32Array;
  readonly dropped: Uint32Array;
}

// Subtracts instead of comparing with >=, as the machine does: an infinite score does not reach an infinite
// threshold (Infinity - Infinity is NaN).
function reaches(score: number, threshold: number): boolean {
  return score - threshold >= 0;
}

/**
 * Whether no filter is set: then rows with NaN scores are kept too. All thresholds of such a table are -Infinity.
 */
function isUnfiltered(thresholds: Thresholds): boolean {
  return thresholds[0] === -Infinity;
}

/**
 * Writes the numbers of the rows that are kept. Allocates nothing: thousands of frames are filtered again in one
 * animation frame.
 * @param columns rows of one frame or of many: a row is filtered by itself
 * @param thresholds the lowest score that is kept, by label index
 * @param rows receives the numbers; at least as long as there are rows
 * @returns how many are kept
 * @example
 * const columns = { count: 2, labelIndex: Uint32Array.of(0, 0), score: Float64Array.of(0.4, 0.6) };
 * const rows = new Uint32Array(2);
 * writeKeptRows(columns, Float64Array.of(0.5), rows); // => 1
 */
export function writeKeptRows(
  { count, labelIndex, score }: Pick<RawDetections, 'count' | 'labelIndex' | 'score'>,
  thresholds: Thresholds,
  rows: Uint32Array,
): number {
  const keepsAll = isUnfiltered(thresholds);
  let kept = 0;
  for (let row = 0; row < count; row++) {
    rows[kept] = row; // overwritten by the next row unless this one is kept: no branch to mispredict
    kept += keepsAll || reaches(score[row]!, thresholds[labelIndex[row]!]!) ? 1 : 0;
  }
  return kept;
}

/** The rows that the thresholds keep and those that they drop. */
export function filterDetections(detections: RawDetections, thresholds: Thresholds): FilteredRows {
  const rows = new Uint32Array(detections.count);
  const keptCount = writeKeptRows(detections, thresholds, rows);
  const kept = rows.slice(0, keptCount);
  const dropped = new Uint32Array(detections.count - keptCount);
  for (let row = 0, next = 0, at = 0; row < detections.count; row++)
    if (kept[next] === row) next++;
    else dropped[at++] = row;
  return { kept, dropped };
}

/** Why a row is dropped; null: it is kept. */
export function dropOf(detections: RawDetections, row: number, thresholds: Thresholds): Drop | null {
  const score = detections.score[row]!;
  const threshold = thresholds[detections.labelIndex[row]!]!;
  if (isUnfiltered(thresholds) || reaches(score, threshold)) return null;
  return { reason: threshold === Infinity ? 'label-not-listed' : 'below-threshold', score, threshold };
}

/**
 * Says why a row was dropped: "0.41 < 0.55" or "label not in label_confidences". A number has as many decimals as the
 * threshold is written with, and more where both would read the same.
 * @param drop the reason, with score and threshold (0..1)
 * @param list the attribute that lists labels
 * @returns words for a person
 * @example
 * dropText({ reason: 'below-threshold', score: 0.41, threshold: 0.55 }); // => '0.41 < 0.55'
 * dropText({ reason: 'below-threshold', score: 0.5497, threshold: 0.55 }); // => '0.5497 < 0.5500'
 * dropText({ reason: 'label-not-listed', score: 0.9, threshold: Infinity }, 'valid_labels'); // => 'label not in valid_labels'
 */
export function dropText(drop: Drop, list: 'label_confidences' | 'valid_labels' = 'label_confidences'): string {
  if (drop.reason === 'label-not-listed') return `label not in ${list}`;
  if (Number.isNaN(drop.score)) return 'score is not a number';
  let decimals = Math.max(2, Math.min(6, decimalsOf(drop.threshold)));
  while (decimals < 17 && drop.score.toFixed(decimals) === drop.threshold.toFixed(decimals)) decimals++;
  return `${drop.score.toFixed(decimals)} < ${drop.threshold.toFixed(decimals)}`;
}

const decimalsOf = (value: number): number => String(value).split('.')[1]?.length ?? 0;

/**
 * Turns rows of the columns into detections as the machine reports them.
 * @param detections the columns
 * @param rows numbers of rows, 0..count - 1; default: all
 * @returns one detection a row, in the order of `rows`; boxes in whole pixels of the frame
 * @example
 * const detections = { count: 1, labels: ['cat'], labelIndex: Uint32Array.of(0), score: Float64Array.of(0.9), box: Int32Array.of(1, 2, 30, 40) };
 * detectionsAt(detections); // => [{ label: 'cat', score: 0.9, xMin: 1, yMin: 2, xMax: 30, yMax: 40 }]
 */
export function detectionsAt(detections: RawDetections, rows: Uint32Array = everyRow(detections)): Detection[] {
  const { labels, labelIndex, score, box } = detections;
  return Array.from(rows, (row) => ({
    label: labels[labelIndex[row]!]!,
    score: score[row]!,
    xMin: box[4 * row]!,
    yMin: box[4 * row + 1]!,
    xMax: box[4 * row + 2]!,
    yMax: box[4 * row + 3]!,
  }));
}

/**
 * Copies some of the rows into columns of their own. The label table is shared, not copied.
 * @param detections the columns
 * @param rows numbers of rows, 0..count - 1
 * @returns columns with `rows.length` rows, in the order of `rows`
 * @example
 * const detections = { count: 2, labels: ['cat', 'dog'], labelIndex: Uint32Array.of(0, 1), score: Float64Array.of(0.9, 0.4), box: Int32Array.of(1, 2, 3, 4, 5, 6, 7, 8) };
 * const { count, score, box } = rowsOf(detections, Uint32Array.of(1));
 * [count, ...score, ...box]; // => [1, 0.4, 5, 6, 7, 8]
 */
export function rowsOf(detections: RawDetections, rows: Uint32Array): RawDetections {
  const box = new Int32Array(4 * rows.length);
  rows.forEach((row, at) => box.set(detections.box.subarray(4 * row, 4 * row + 4), 4 * at));
  return {
    ...detections,
    count: rows.length,
    labelIndex: Uint32Array.from(rows, (row) => detections.labelIndex[row]!),
    score: Float64Array.from(rows, (row) => detections.score[row]!),
    box,
  };
}

function everyRow({ count }: RawDetections): Uint32Array {
  return Uint32Array.from({ length: count }, (_, row) => row);
}
