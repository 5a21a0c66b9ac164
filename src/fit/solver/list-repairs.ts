import type { Hypothesis } from './hypothesis.ts';
import type { RankedHypothesis } from './rank-hypotheses.ts';

/** What mends labels, filter and boxes over each other, without another interpretation: supposed from what the present one showed. */
export function listRepairs({ hypothesis, shift, filter, isCrowded }: RankedHypothesis): readonly Hypothesis[] {
  const repairs: Hypothesis[] = [];
  if (shift) repairs.push({ ...hypothesis, labels: shift.labels, changes: ['labels'] });
  if (filter && filter.kind !== 'fine') repairs.push({ ...hypothesis, filter: filter.better, changes: ['threshold'] });
  if (isCrowded) repairs.push({ ...hypothesis, suppresses: true, changes: ['suppression'] });
  return repairs;
}
