import type { Classification, RawDetections } from '../../../machine/vision/face/results.ts';

/** The rows whose score reaches a limit; NaN reaches none. */
export const rowsFrom = (floor: number, rows: Uint32Array, score: Float64Array): Uint32Array =>
  rows.filter((row) => score[row]! >= floor);

/** The rows with the highest scores, at most `most`; of equal ones the first. */
export const surestRows = (most: number, rows: Uint32Array, score: Float64Array): readonly number[] =>
  Array.from(rows)
    .sort((a, b) => score[b]! - score[a]!)
    .slice(0, Math.max(0, most));

/** The highest score of each label among some rows, by label in lower case. */
export function labelsOfRows(
  { labels, labelIndex, score }: Pick<RawDetections, 'labels' | 'labelIndex' | 'score'>,
  rows: readonly number[],
): ReadonlyMap<string, number> {
  return highest(rows.map((row) => [labels[labelIndex[row]!] ?? '', score[row]!]));
}

/** The score of each class, by label in lower case. */
export const labelsOfClasses = (classes: readonly Classification[]): ReadonlyMap<string, number> =>
  highest(classes.map(({ label, score }) => [label, score]));

function highest(scores: readonly (readonly [label: string, score: number])[]): ReadonlyMap<string, number> {
  const byLabel = new Map<string, number>();
  for (const [label, score] of scores) {
    const key = label.toLowerCase();
    byLabel.set(key, Math.max(score, byLabel.get(key) ?? -Infinity));
  }
  return byLabel;
}
