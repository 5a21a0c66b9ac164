import type { FeedingPhase, MeasuredWay } from '../../../../workers/feeding/client.ts';
import { differenceText } from '../../../evaluation/compare/compare-report.ts';
import { changesInWords, verdictInWords } from '../../../evaluation/compare/compare-words.ts';
import { fewestUnits } from '../../../evaluation/choose/measured-pictures.ts';
import type { FeedingOutcome } from './feeding-search.svelte.ts';
import { counted } from '../../kit/words/figures.ts';
import { rateText } from '../figures/rate-text.ts';

export const phaseWords: Readonly<Record<FeedingPhase, string>> = {
  reading: 'Reading the model and the frames',
  searched: 'Trying recipes',
  measured: 'Measuring what each feeding is worth',
};

/** From this distance on a box has moved, as the search counts it. */
const movedMoreThanPx = 2;

type Difference = MeasuredWay['loss'];

/** "−0.120 (−0.200 to −0.040), worse"; the words of a verdict that is open say how many frames would decide. */
export function apWords({ averagePrecision }: Difference, units: number): string {
  return `${differenceText(averagePrecision)}, ${verdictInWords(averagePrecision, units, 'frame')}`;
}

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
    ? `Measured on the ${counted(pictures, 'frame')} that were not searched on.`
    : 'Measured on the frames of the search itself, which its recipe fits a little better than others.';
  const tried = (ways?.length ?? 1) - 1;
  const many = tried < 2 ? '' : ` Of ${tried} ways each has its own interval: of 20 that win nothing, one looks as if it did.`; // prettier-ignore
  return on + many;
}

/** Why nothing can be told of what feeding costs; '': it can. */
export const fewWords = ({ measuredOn: { units } }: Pick<FeedingOutcome, 'measuredOn'>): string =>
  units < fewestUnits
    ? `${units === 1 ? 'One frame tells' : `${units} frames tell`} nothing of what other frames lose: ${fewestUnits} or more that are independent of each other decide.`
    : '';
