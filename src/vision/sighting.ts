import type { TransformStep } from '../config/machine-config.ts';
import type { Classification, Detection, RawClassifications, RawDetections } from './detections.ts';
import type { FilteredRows } from './filter/filter-detections.ts';
import type { Frame } from './frame.ts';

/** The picture after one step. */
export interface Stage {
  /** position in the list of steps, -1 = source */
  readonly step: number;
  /** '' for the source and for a pass-through step */
  readonly type: TransformStep['type'];
  readonly frame: Frame;
}

/** Everything that one look at a frame yields. */
export interface Sighting extends Results {
  /** the source first, then one a step */
  readonly stages: readonly Stage[];
  readonly timings: SightingTimings;
}

/** What a vision service says of one frame, before and after its own filter. */
export interface Results {
  /** kept so that thresholds filter again without inference; null = the service is no detector */
  readonly rawDetections: RawDetections | null;
  readonly detectionRows: FilteredRows | null;
  readonly detections: readonly Detection[] | null;
  /** null = the service is no classifier */
  readonly rawClassifications: RawClassifications | null;
  /** in label order */
  readonly classifications: readonly Classification[] | null;
}

export interface SightingTimings {
  readonly transformMs: number;
  readonly preprocessMs: number;
  readonly inferenceMs: number;
  /** decode and filter */
  readonly postprocessMs: number;
  readonly totalMs: number;
}
