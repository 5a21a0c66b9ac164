import type { DetectionChanges } from './compare-detections.ts';
import type { FigureDifference } from './compare-figures.ts';

/**
 * Says what becomes of boxes in one sentence.
 *
 * @param counts of `compareDetections`
 * @param movedMoreThanPx from which distance on a box has moved
 * @returns a sentence
 * @example
 * const counts = { vanished: 14, appeared: 1, relabelled: 2, moved: 31, same: 210 };
 * changesInWords(counts, 2); // => '14 boxes vanish, 1 appears, 2 labels change, 31 move by more than 2 px, 210 stay.'
 */
export function changesInWords(
  { vanished, appeared, relabelled, moved, same }: DetectionChanges['counts'],
  movedMoreThanPx: number,
): string {
  const does = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;
  return `${[
    does(vanished, 'box vanishes', 'boxes vanish'),
    does(appeared, 'appears', 'appear'),
    does(relabelled, 'label changes', 'labels change'),
    `${does(moved, 'moves', 'move')} by more than ${movedMoreThanPx} px`,
    does(same, 'stays', 'stay'),
  ].join(', ')}.`;
}

/**
 * Says whether the second of two figures is better.
 *
 * @param difference of `compareFigures`
 * @param units how many there are
 * @param noun what a unit is
 * @returns words
 * @example
 * const difference = { value: 0.02, low: -0.02, high: 0.06 };
 * const found = { figure: 'f1', label: null, first: 0.7, second: 0.72, difference, verdict: 'cannot tell', unitsToTell: 160 };
 * verdictInWords(found, 40); // => 'cannot tell from 40 images; about 160 would'
 */
export function verdictInWords(
  { difference, verdict, unitsToTell }: FigureDifference,
  units: number,
  noun = 'image',
): string {
  if (!difference) return 'not defined on both sides';
  if (verdict !== 'cannot tell') return verdict;
  const from = `${units} ${units === 1 ? noun : `${noun}s`}`;
  if (difference.value === 0) return `no difference on ${from}`;
  return `cannot tell from ${from}${unitsToTell === null ? '' : `; about ${unitsToTell} would`}`;
}
