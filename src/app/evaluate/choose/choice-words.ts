import type { ThresholdChoice } from '../../../evaluation/choose/choose-threshold.ts';
import type { Estimate } from '../../../evaluation/intervals/ratio-interval.ts';
import { counted } from '../../kit/words/figures.ts';

/** "0.88 (0.79 to 0.94)"; "–": nothing was kept, or nothing was there. */
export const estimateText = (estimate: Estimate | null): string =>
  estimate === null ? '–' : `${estimate.value.toFixed(2)} (${estimate.low.toFixed(2)} to ${estimate.high.toFixed(2)})`;

/** What keeps a choice from being sure; '': nothing. */
export function doubtText({ reaches, tooFew, units }: ThresholdChoice): string {
  const goal = reaches ? '' : 'No threshold reaches this goal on these images; this one comes nearest. ';
  const few = tooFew
    ? `${counted(units, 'image')} with this label ${units === 1 ? 'tells' : 'tell'} little: about ${tooFew.moreToHalve} more would halve the interval.`
    : '';
  return goal + few;
}
