import { type ServiceFilterRule, serviceThresholds, writeKeptRows } from '../../machine/vision/face/filters.ts';
import type { ResultColumns } from './result-columns.ts';

/**
 * Filters stored results as a vision service filters those of its model.
 * @param columns what was stored: what the recorder dropped is not there
 * @param rule the service's thresholds
 * @returns numbers of the kept results, rising
 * @example
 * const columns = {
 *   timesMs: Float64Array.of(0), starts: Uint32Array.of(0, 2), labels: Uint32Array.of(0, 0),
 *   scores: Float64Array.of(0.4, 0.6), names: ['cat'],
 * };
 * [...keepResults(columns, { defaultMinimumConfidence: 0.5, labelConfidences: {} })]; // => [1]
 */
export function keepResults({ labels, scores, names }: ResultColumns, rule: ServiceFilterRule): Uint32Array {
  const rows = new Uint32Array(labels.length);
  const kept = { count: labels.length, labelIndex: labels, score: scores };
  return rows.subarray(0, writeKeptRows(kept, serviceThresholds(names, rule), rows));
}
