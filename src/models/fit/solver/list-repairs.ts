import type { Hypothesis } from './hypothesis.ts';
import type { RankedHypothesis } from './rank-hypotheses.ts';

/**
 * Lists the hypotheses that change labels, threshold or suppression while the interpretation stays.
 * @param ranked a hypothesis, with what frames showed of it
 * @returns one hypothesis a repair; []: nothing is to be repaired
 * @example
 * const hypothesis = { suppresses: false, changes: [] };
 * listRepairs({ hypothesis, shift: null, filter: null, isCrowded: true }); // => [{ suppresses: true, changes: ['suppression'] }]
 */
export function listRepairs({ hypothesis, shift, filter, isCrowded }: RankedHypothesis): readonly Hypothesis[] {
  const repairs: Hypothesis[] = [];
  if (shift) repairs.push({ ...hypothesis, labels: shift.labels, changes: ['labels'] });
  if (filter && filter.kind !== 'fine') repairs.push({ ...hypothesis, filter: filter.better, changes: ['threshold'] });
  if (isCrowded) repairs.push({ ...hypothesis, suppresses: true, changes: ['suppression'] });
  return repairs;
}
