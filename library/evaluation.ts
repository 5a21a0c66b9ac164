// What detections are worth against truth. The package's `sightglass/evaluation`; docs/library.md shows its use.

export type { BoxColumns, DetectionSet, EvaluationSpace, TruthSet } from '../src/evidence/evaluation/evaluation.ts';
export {
  DetectionSetBuilder,
  TruthSetBuilder,
  type Box,
  type TruthTraits,
} from '../src/evidence/evaluation/build-sets.ts';
export {
  CocoFileError,
  readCocoResults,
  readCocoTruth,
  type CocoResults,
  type CocoTruth,
} from '../src/evidence/evaluation/coco/read-coco.ts';
export { evaluateCoco, type CocoMetrics } from '../src/evidence/evaluation/coco/coco-metrics.ts';
export { matchBoxes, type LabelMatches, type MatchOptions } from '../src/evidence/evaluation/match/match-boxes.ts';
export { countsAt, ratesOf, sweepLabels, type LabelSweep } from '../src/evidence/evaluation/sweep/label-sweep.ts';
export { metricsAt, type MetricsAt } from '../src/evidence/evaluation/sweep/metrics-at.ts';
export {
  chooseThreshold,
  type ChoiceOptions,
  type ThresholdChoice,
  type Units,
} from '../src/evidence/evaluation/choose/choose-threshold.ts';
export type { Goal } from '../src/evidence/evaluation/choose/goal.ts';
export { unitsOf } from '../src/evidence/evaluation/choose/units.ts';
export { evaluateBoxes, type Evaluated } from '../src/evidence/evaluation/summary/summarize.ts';
