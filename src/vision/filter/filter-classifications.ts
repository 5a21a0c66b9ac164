import type { Classification, RawClassifications } from '../detections.ts';
import { serviceThresholds, stepThresholds, type ServiceFilterRule, type StepFilterRule } from './thresholds.ts';

/**
 * What the machine's `Classifications(n)` answers: the classes that pass the service's filter, then the top n of
 * them.
 */
export function filterClassifications(raw: RawClassifications, rule: ServiceFilterRule, n: number): Classification[] {
  const thresholds = serviceThresholds(raw.labels, rule);
  const kept = raw.labels
    .map((label, i) => ({ label, score: raw.score[i]! }))
    .filter(({ score }, i) => thresholds[i] === -Infinity || (score >= thresholds[i]! && thresholds[i] !== Infinity));
  return topClassifications(kept, n);
}

/** n <= 0: all, in label order. n > 0: the first n by falling score, ties in label order, NaN last. */
export function topClassifications(classifications: readonly Classification[], n: number): Classification[] {
  if (n <= 0) return [...classifications];
  const rank = ({ score }: Classification) => (Number.isNaN(score) ? -Infinity : score);
  // The difference of two NaN is NaN, which sort() takes as a tie.
  return classifications.toSorted((a, b) => rank(b) - rank(a)).slice(0, n);
}

/** The filter of a `classifications` step, applied after the top n: first by confidence, then by labels. */
export function filterStepClassifications(
  classifications: readonly Classification[],
  rule: StepFilterRule,
): Classification[] {
  const thresholds = stepThresholds(
    classifications.map(({ label }) => label),
    rule,
  );
  return classifications.filter(({ score }, i) => score >= thresholds[i]! && thresholds[i] !== Infinity);
}
