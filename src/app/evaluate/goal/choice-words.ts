import type { ThresholdChoice, TooFewUnits } from '../../../evidence/evaluation/face/thresholds.ts';
import type { Estimate } from '../../../evidence/evaluation/face/intervals.ts';
import { counted, numberText } from '../../kit/words/figures.ts';

/** Why thresholds cannot be set by figures: those of one model are for no other. */
export const otherOnBenchText = 'The bench has another model or setup now: run again to set its thresholds.';

/** Why a threshold line cannot be moved. */
export const fixedLineText = 'The line stays where it was: the bench has another model or setup now.';

/** Why no threshold is offered. */
export const noScoresText =
  'A colour detector gives every box score 1, so no threshold changes anything. Its colour, cut-offs and area decide: tune them on the bench.';

/** "0.88 (0.79 to 0.94)"; "–": nothing was kept, or nothing was there. */
export const estimateText = (estimate: Estimate | null): string =>
  estimate === null ? '–' : `${estimate.value.toFixed(2)} (${estimate.low.toFixed(2)} to ${estimate.high.toFixed(2)})`;

/** "540 (12 to 4,700)": a number of boxes, in two digits. */
export const countEstimateText = (estimate: Estimate | null): string => {
  if (estimate === null) return '–';
  const [value, low, high] = [estimate.value, estimate.low, estimate.high].map((one) =>
    numberText(Number(one.toPrecision(2))),
  );
  return `${value} (${low} to ${high})`;
};

const unitsText = (units: number, hasVideos: boolean): string =>
  hasVideos ? counted(units, units === 1 ? 'image or video' : 'images or video') : counted(units, 'image');

/** What keeps a choice from being sure; '': nothing. Where images are of videos, a video is what counts. */
export function doubtText({ reaches, tooFew, units }: ThresholdChoice, hasVideos: boolean): string {
  const goal = reaches ? '' : 'No threshold reaches this goal on these images; this one comes nearest. ';
  return goal + (tooFew ? fewText(tooFew, units, hasVideos) : '');
}

function fewText(tooFew: TooFewUnits, units: number, hasVideos: boolean): string {
  const tell = `${unitsText(units, hasVideos)} with this label ${units === 1 ? 'tells' : 'tell'} little: `;
  return 'atLeast' in tooFew
    ? `${tell}it takes at least ${numberText(tooFew.atLeast)}, because an interval from fewer may be narrow by luck.`
    : `${tell}about ${numberText(tooFew.moreToHalve)} more would halve the interval.`;
}

/** "40 at least" or "120 more": the images that a choice lacks; '': none. */
export function lackingText(tooFew: TooFewUnits | null): string {
  if (!tooFew) return '';
  return 'atLeast' in tooFew ? `${numberText(tooFew.atLeast)} at least` : `${numberText(tooFew.moreToHalve)} more`;
}
