import type { FeedingPhase, MeasuredWay } from '../../../../workers/feeding/client.ts';
import { changesInWords, differenceText, verdictInWords } from '../../../evidence/evaluation/face/comparison.ts';
import { fewestUnits } from '../../../evidence/evaluation/face/thresholds.ts';
import type { FeedingOutcome } from '../feeding-search/feeding-search.svelte.ts';
import { countedFrom, movedMoreThanPx } from '../../../models/fit/feeding/counted-boxes.ts';
import { counted } from '../../kit/words/figures.ts';
import { rateText } from '../figures/rate-text.ts';

export const phaseWords: Readonly<Record<FeedingPhase, string>> = {
  reading: 'Reading the model and the frames',
  searched: 'Trying recipes',
  measured: 'Measuring each feeding',
};

type Difference = MeasuredWay['loss'];

/** "−0.120 (−0.200 to −0.040), worse"; the words of a verdict that is open say how many frames would decide. */
export function apWords({ averagePrecision }: Difference, units: number): string {
  return `${differenceText(averagePrecision)}, ${verdictInWords(averagePrecision, units, 'frame')}`;
}

/** Which boxes are counted, and how differences are to be read. */
export const comparedWords = `Each difference compares the same frames fed in two ways, and has a 95 % interval; boxes are counted from a score of ${countedFrom} on.`;

/** What becomes of the boxes. */
export const boxWords = ({ counts }: Difference): string => changesInWords(counts, movedMoreThanPx);

/** "0.912 fed by the recipe, 0.801 fed by the machine" */
export const bothWords = ({ averagePrecision: { first, second } }: Difference): string =>
  `${rateText(first)} fed by the recipe, ${rateText(second)} fed by the machine`;

/** The ways that were shown to win something, the most first, and the others. */
export function waysOf({ ways }: Pick<FeedingOutcome, 'ways'>) {
  const [own = null, ...others] = ways ?? [];
  const isWinning = ({ gain }: MeasuredWay): boolean => gain?.averagePrecision.verdict === 'better';
  const value = ({ gain }: MeasuredWay): number => gain?.averagePrecision.difference?.value ?? 0;
  return {
    own,
    winning: others.filter(isWinning).toSorted((a, b) => value(b) - value(a)),
    others: others.filter((way) => !isWinning(way)),
  };
}

/** What the differences are of, and how far they can be trusted. */
export function measuredWords({ measuredOn: { pictures, isApart }, ways }: FeedingOutcome): string {
  const on = isApart
    ? `The differences are measured on the ${counted(pictures, 'frame')} that the search did not use.`
    : 'The differences are measured on the frames that the search used. The recipe was chosen by these, so it does a little better on them than on others.';
  const tried = (ways?.length ?? 1) - 1;
  const chance = ` The intervals do not allow for the fact that ${tried} ways were tried. Of 20 ways that change nothing, about one seems to win or lose something by chance.`;
  return tried < 2 ? on : on + chance;
}

/** Why nothing can be told of what feeding costs; '': it can. */
export const fewWords = ({ measuredOn: { units } }: Pick<FeedingOutcome, 'measuredOn'>): string =>
  units < fewestUnits
    ? `${units === 1 ? 'One frame tells' : `${units} frames tell`} nothing about other frames: ${fewestUnits} or more independent ones are needed.`
    : '';
