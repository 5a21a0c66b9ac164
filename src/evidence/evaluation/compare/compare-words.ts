import type { DetectionChanges } from './compare-detections.ts';
import { falseVerdicts, type FigureDifference } from './compare-figures.ts';
import type { Strangers } from './compare-runs.ts';

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

/**
 * Says how often verdicts are false, which are asked of many figures at once.
 *
 * @param figures of `compareFigures`
 * @returns a sentence or two
 * @example rateInWords([]); // => ''
 */
export function rateInWords(figures: readonly Pick<FigureDifference, 'label'>[]): string {
  const labels = new Set(figures.map(({ label }) => label).filter((label) => label !== null)).size;
  if (labels < 2) return '';
  const share = `${100 * falseVerdicts} %`;
  return `${figures.length} differences are judged at once. Of the verdicts on all labels together, and of those on single labels, at most ${share} are false on average (Benjamini–Hochberg), so a single interval that leaves 0 out may be chance.`;
}

const MOST_NAMES = 3;

/**
 * Says why two runs cannot be told apart by their figures: they call nothing by the same name.
 *
 * @param strangers of `compareRuns`
 * @param relabelled how many boxes of both lie at the same place under two names
 * @returns sentences
 * @example
 * strangersInWords({ first: ['dog'], second: ['17'] }, 0); // => 'A and B have no label in common, so neither can be called better. A says dog; B says 17.'
 */
export function strangersInWords({ first, second }: Strangers, relabelled: number): string {
  const same =
    relabelled > 0
      ? ` ${relabelled} ${relabelled === 1 ? 'box lies' : 'boxes lie'} at the same place under another name: give both the same label file, and run again.`
      : '';
  return `A and B have no label in common, so neither can be called better. A says ${some(first)}; B says ${some(second)}.${same}`;
}

/**
 * Says which labels are in no difference, as each run calls them by a name of its own.
 *
 * @param leftOut of `compareRuns`
 * @returns a sentence or two
 * @example
 * leftOutInWords({ first: ['sofa'], second: ['couch'] }); // => 'Left out of these differences, as A and B name them differently: A says sofa; B says couch. Give both the same label file to compare them, too.'
 */
export function leftOutInWords({ first, second }: Strangers): string {
  return `Left out of these differences, as A and B name them differently: A says ${some(first)}; B says ${some(second)}. Give both the same label file to compare them, too.`;
}

const some = (names: readonly string[]): string =>
  names.length > MOST_NAMES + 1
    ? `${names.slice(0, MOST_NAMES).join(', ')} and ${names.length - MOST_NAMES} more`
    : names.join(', ');
