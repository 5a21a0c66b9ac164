import type { RawClassifications, RawDetections } from '../../../vision/detections.ts';

/** What is kept of a frame: the raw scores that thresholds cut, and nothing of what made them. */
export interface SeenFrame {
  readonly detections: Pick<RawDetections, 'count' | 'labels' | 'labelIndex' | 'score'> | null;
  readonly classifications: RawClassifications | null;
}
