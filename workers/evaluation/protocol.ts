import type { CocoMetrics } from '../../src/evaluation/coco/coco-metrics.ts';
import type { DetectionSet, EvaluationSpace, TruthSet } from '../../src/evaluation/evaluation.ts';
import type { LabelMatches } from '../../src/evaluation/match/match-boxes.ts';

/** The data that the page and the evaluation worker exchange; all of it survives structured cloning. */

export interface BoxesToMatch {
  readonly space: EvaluationSpace;
  readonly truth: TruthSet;
  readonly detections: DetectionSet;
}

export interface MatchedBoxes {
  readonly coco: CocoMetrics;
  /** at IoU 0.5, without COCO's limit of 100 results an image: a machine has none */
  readonly matches: readonly LabelMatches[];
}
