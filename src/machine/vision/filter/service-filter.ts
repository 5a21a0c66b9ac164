import type { Classification, RawClassifications, RawDetections } from '../results/detections.ts';
import { filterClassifications } from './filter-classifications.ts';
import { dropOf, filterDetections, type Drop, type FilteredRows } from './filter-detections.ts';
import { serviceThresholds, thresholdsByTable, type ServiceFilterRule } from './thresholds.ts';

/**
 * A vision service's own filter, the step between decode and overlay. Both the machine's operations and the page,
 * whose sliders change the thresholds, filter through it.
 */
export interface ServiceFilter {
  /** The rows that are kept and those that are dropped. */
  rows(detections: RawDetections): FilteredRows;
  /** Why a row is dropped; null when it is kept. */
  dropOf(detections: RawDetections, row: number): Drop | null;
  /** The classes that are kept, and the top n of them; n <= 0: all, in label order. */
  classes(classifications: RawClassifications, n: number): Classification[];
}

/**
 * Makes the filter of a vision service. Thresholds are computed once a label table.
 * @param rule the service's `default_minimum_confidence` (0..1; 0: none) and `label_confidences` (0..1 a label)
 * @returns the filter: rows of detections, the reason for a drop, and classes
 * @example
 * const filter = serviceFilter({ defaultMinimumConfidence: 0.5, labelConfidences: {} });
 * const detections = { count: 2, labels: ['cat'], labelIndex: Uint32Array.of(0, 0), score: Float64Array.of(0.9, 0.4), box: new Int32Array(8) };
 * [...filter.rows(detections).kept]; // => [0]
 * filter.dropOf(detections, 1); // => { reason: 'below-threshold', score: 0.4, threshold: 0.5 }
 */
export function serviceFilter(rule: ServiceFilterRule): ServiceFilter {
  const thresholdsOf = thresholdsByTable((labels) => serviceThresholds(labels, rule));
  return {
    rows: (detections) => filterDetections(detections, thresholdsOf(detections.labels)),
    dropOf: (detections, row) => dropOf(detections, row, thresholdsOf(detections.labels)),
    classes: (classifications, n) => filterClassifications(classifications, rule, n),
  };
}
