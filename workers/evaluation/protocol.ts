import type { Units } from '../../src/evaluation/choose/choose-threshold.ts';
import type { Goal } from '../../src/evaluation/choose/goal.ts';
import type { DetectionSet, EvaluationSpace, TruthSet } from '../../src/evaluation/evaluation.ts';
import type { ReportSubject } from '../../src/evaluation/report/evaluation-report.ts';

export type { MeasuredBoxes } from '../../src/evaluation/report/summarize.ts';

/** The data that the page and the evaluation worker exchange; all of it survives structured cloning. */

export interface BoxesToMatch {
  readonly space: EvaluationSpace;
  readonly truth: TruthSet;
  readonly detections: DetectionSet;
}

export type ReportFormat = 'html' | 'json' | 'csv';

export interface ReportOrder extends BoxesToMatch {
  readonly subject: ReportSubject;
  /** in force, by label number */
  readonly thresholds: Float64Array;
  /** by which a threshold is offered for each label */
  readonly goal: Goal;
  /** which images belong together */
  readonly units: Units;
  readonly format: ReportFormat;
}
