import type { RawResults } from './run-result.ts';
import { numberTexts } from './decode/labels.ts';

/**
 * The labels of results as another label file names them: their rows keep their class numbers.
 *
 * @param labels of the results: a label list, or index numbers
 * @param classes the class number of each row, or 'all' where the results are the scores of all classes
 * @param list of the other label file; null or []: index numbers
 * @returns null: the machine would not give these results with that list, or their class numbers are not known any more
 * @example
 * renameLabels(['0', '1'], [1, 1], ['cat', 'dog']); // => ['cat', 'dog']
 * renameLabels(['cat', 'dog'], [1], null); // => ['0', '1']
 * renameLabels(['cat', 'dog'], [1], ['cat']); // => null
 */
export function renameLabels(
  labels: readonly string[],
  classes: ArrayLike<number> | 'all',
  list: readonly string[] | null,
): readonly string[] | null {
  const areNumbers = labels.every((label, at) => label === String(at));
  // Numbers with gaps are only those that came, so their places are not the numbers.
  if (!areNumbers && labels.every((label) => /^\d+$/.test(label))) return null;
  const names = list && list.length > 0 ? list : null;
  if (!names && areNumbers) return labels;
  if (classes === 'all') {
    if (!names) return numberTexts(labels.length);
    return names.length === labels.length ? names : null;
  }
  let count = 0;
  for (let row = 0; row < classes.length; row++) count = Math.max(count, classes[row]! + 1);
  if (!names) return numberTexts(count);
  return count <= names.length ? names : null;
}

/**
 * Results of a frame as another label file names them.
 *
 * @param results before the filter
 * @param list of the other label file; null: index numbers
 * @returns null: the frame has to be run again
 * @example
 * const score = Float64Array.of(0.9, 0.1);
 * const results = { detections: null, classifications: { labels: ['0', '1'], score } };
 * renameResults(results, ['cat', 'dog']).classifications.labels; // => ['cat', 'dog']
 */
export function renameResults<Results extends RawResults>(
  results: Results,
  list: readonly string[] | null,
): Results | null {
  const { detections, classifications } = results;
  // Where only the surest classes are listed, their places are not their numbers.
  if (classifications?.unlisted !== undefined) return null;
  const ofBoxes = detections && renameLabels(detections.labels, detections.labelIndex, list);
  const ofClasses = classifications && renameLabels(classifications.labels, 'all', list);
  if ((detections && !ofBoxes) || (classifications && !ofClasses)) return null;
  return {
    ...results,
    detections: ofBoxes ? { ...detections, labels: ofBoxes } : null,
    classifications: ofClasses ? { ...classifications, labels: ofClasses } : null,
  };
}
