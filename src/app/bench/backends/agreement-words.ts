import type { SidesCompared } from '../../../../workers/backends/client.ts';
import { counted } from '../../kit/words/figures.ts';

/** What the comparison came to, as sentences. */
export function agreementWords({ pictures, unreadable }: SidesCompared): string[] {
  const differing = pictures.filter(({ agrees }) => !agrees);
  const of = counted(pictures.length, 'frame');
  const isByBoxes = pictures.every(({ kept }) => kept !== null);
  const by = isByBoxes ? 'at the tuned thresholds' : 'by the model’s outputs';
  const sum = (figure: 'lost' | 'added' | 'relabelled'): number => pictures.reduce((all, one) => all + one[figure], 0);
  const score = pictures.reduce((most, { largestScore }) => Math.max(most, largestScore), 0);
  const first =
    differing.length === 0
      ? `Both say the same of ${of} ${by}, but for rounding.`
      : `They differ on ${differing.length} of ${of} ${by}.`;
  const parts = [
    sum('lost') > 0 ? `${sum('lost')} kept by the first alone` : '',
    sum('added') > 0 ? `${sum('added')} by the second alone` : '',
    sum('relabelled') > 0 ? `${sum('relabelled')} with another label` : '',
  ].filter(Boolean);
  const apart = isByBoxes ? [`Scores are up to ${score.toFixed(3)} apart.`] : [];
  const why = unreadable.reference || unreadable.other;
  return [
    first,
    ...(parts.length > 0 ? [`Of what passes: ${parts.join(', ')}.`] : []),
    ...apart,
    ...(why ? [`Boxes were not compared: ${why}`] : []),
  ];
}
