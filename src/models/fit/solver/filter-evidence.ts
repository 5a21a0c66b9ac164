import { type ServiceFilterRule, serviceThresholds } from '../../../machine/vision/face/filters.ts';
import type { BoxRows } from '../interpretations/box-rows.ts';
import { distinctRows } from '../interpretations/distinct-rows.ts';

/** Whether a filter lets through what is there. */
export interface FilterEvidence {
  readonly kind: 'fine' | 'hides' | 'floods';
  /** rows that it lets through */
  readonly kept: readonly number[];
  /** a filter that would let things through, and little else */
  readonly better: ServiceFilterRule;
}

const noFilter: ServiceFilterRule = { defaultMinimumConfidence: 0, labelConfidences: {} };
/** A score at which a person believes in a thing. */
const surely = 0.4;

/** What a service's filter does to the rows of a run. */
export function filterEvidence(
  rows: BoxRows,
  labels: readonly string[] | null,
  filter: ServiceFilterRule,
): FilterEvidence {
  const kept = keptRows(rows, labels, filter);
  const largest = rows.score.reduce((most, score) => Math.max(most, score), 0);
  const things = distinctRows(rows, surely);
  const isHidden = kept.length === 0 && things.length > 0;
  // A person may want the surest only; that three in four of what is rather sure are hidden is none's wish.
  if (isHidden || kept.length < distinctRows(rows, 0.6).length / 4) {
    const isLow = filter.defaultMinimumConfidence <= 0.5;
    const defaultMinimumConfidence = isLow && Object.keys(filter.labelConfidences).length > 0 ? surely : tidy(largest);
    return { kind: 'hides', kept, better: { ...noFilter, defaultMinimumConfidence } };
  }
  const weak = kept.filter((row) => rows.score[row]! < surely / 2).length;
  const floods = kept.length > 20 && weak > 0.8 * kept.length;
  return { kind: floods ? 'floods' : 'fine', kept, better: { ...noFilter, defaultMinimumConfidence: surely } };
}

/** Below the best, in steps of a twentieth. */
function tidy(largest: number): number {
  return Math.max(0.2, Math.min(0.5, Math.floor(largest * 0.8 * 20) / 20));
}

/**
 * Lists the rows that a service shows.
 * @param rows boxes of a frame
 * @param labels by category; null: index numbers
 * @param filter the service's thresholds (0..1)
 * @returns numbers of rows, in the model's order
 * @example
 * const rows = { count: 2, score: [0.9, 0.3], category: [0, 0], box: new Float64Array(8) };
 * keptRows(rows, ['cat'], { defaultMinimumConfidence: 0.5, labelConfidences: {} }); // => [0]
 */
export function keptRows(
  { count, score, category }: BoxRows,
  labels: readonly string[] | null,
  filter: ServiceFilterRule,
): number[] {
  const names = new Map<number, number>();
  const thresholdOf = (number: number) => {
    if (!names.has(number)) names.set(number, serviceThresholds([labels?.[number] ?? String(number)], filter)[0]!);
    return names.get(number)!;
  };
  const kept: number[] = [];
  for (let row = 0; row < count; row++)
    if (score[row]! > 0 && score[row]! >= thresholdOf(category[row]!)) kept.push(row);
  return kept;
}
