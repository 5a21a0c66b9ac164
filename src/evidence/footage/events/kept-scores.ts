import type { ServiceFilter } from '../../../machine/vision/face/filters.ts';
import type { RawResults } from '../../../machine/vision/face/results.ts';

/**
 * What a program gets of a frame: the label and the score of each result that the service keeps.
 * @param results before the filter
 * @param filter of the vision service
 * @param label only results of this one; null: of all
 * @returns pairs, as `EventFinder` takes them
 */
export function keptScores(
  { detections, classifications }: RawResults,
  filter: Pick<ServiceFilter, 'rows' | 'classes'>,
  label: string | null = null,
): readonly (readonly [label: string, score: number])[] {
  const pairs: (readonly [string, number])[] = [];
  const add = (name: string, score: number): void => {
    if (label === null || name === label) pairs.push([name, score]);
  };
  if (detections) {
    const { labels, labelIndex, score } = detections;
    for (const row of filter.rows(detections).kept) add(labels[labelIndex[row]!]!, score[row]!);
  }
  for (const one of classifications ? filter.classes(classifications, 0) : []) add(one.label, one.score);
  return pairs;
}
