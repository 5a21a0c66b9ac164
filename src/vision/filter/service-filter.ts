import type { Classification, RawClassifications, RawDetections } from '../detections.ts';
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

export function serviceFilter(rule: ServiceFilterRule): ServiceFilter {
  const thresholdsOf = thresholdsByTable((labels) => serviceThresholds(labels, rule));
  return {
    rows: (detections) => filterDetections(detections, thresholdsOf(detections.labels)),
    dropOf: (detections, row) => dropOf(detections, row, thresholdsOf(detections.labels)),
    classes: (classifications, n) => filterClassifications(classifications, rule, n),
  };
}
