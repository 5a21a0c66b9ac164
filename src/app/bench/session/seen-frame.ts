import type { RawClassifications, RawDetections } from '../../../machine/vision/face/results.ts';

/** The part of a frame that is kept: the raw scores, which thresholds filter. */
export interface SeenFrame {
  readonly detections: Pick<RawDetections, 'count' | 'labels' | 'labelIndex' | 'score'> | null;
  readonly classifications: RawClassifications | null;
}
