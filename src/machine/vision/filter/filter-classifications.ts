import type { Classification, RawClassifications } from '../results/detections.ts';
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

/**
 * Takes the n classes with the highest scores.
 * @param classifications classes with scores, in label order
 * @param n how many; 0 or less: all of them, in label order
 * @returns the classes by falling score; equal scores stay in label order, NaN comes last
 * @example
 * const all = [{ label: 'cat', score: 0.2 }, { label: 'dog', score: 0.7 }, { label: 'fox', score: 0.1 }];
 * topClassifications(all, 2).map(({ label }) => label); // => ['dog', 'cat']
 * topClassifications(all, 0).map(({ label }) => label); // => ['cat', 'dog', 'fox']
 */
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
