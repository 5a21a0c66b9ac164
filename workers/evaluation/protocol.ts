import type { Units } from '../../src/evidence/evaluation/choose/choose-threshold.ts';
import type { CompareSubject } from '../../src/evidence/evaluation/compare/compare-report.ts';
import type { RunComparison } from '../../src/evidence/evaluation/compare/compare-runs.ts';
import type { MatchedThreshold } from '../../src/evidence/evaluation/compare/match-thresholds.ts';
import type { Goal } from '../../src/evidence/evaluation/choose/goal.ts';
import type { DetectionSet, EvaluationSpace, TruthSet } from '../../src/evidence/evaluation/evaluation.ts';
import type { ReportSubject } from '../../src/evidence/evaluation/report/evaluation-report.ts';
import type { MeasuredBoxes } from '../../src/evidence/evaluation/summary/summarize.ts';
import type { ConfusionMatrix } from '../../src/evidence/evaluation/sweep/confusion-matrix.ts';
import type { ErrorKinds } from '../../src/evidence/evaluation/sweep/error-kinds.ts';
import type { RawImage } from '../../src/platform/ports/raw-image.ts';
import type { NormalizedBox } from '../../src/machine/vision/results/normalized-box.ts';

export type { MeasuredBoxes };

/** The data that the page and the evaluation worker exchange; all of it survives structured cloning. */

/** An image that the model was run on, with its truth. */
export interface ImageToCount {
  readonly id: string;
  /** in fractions of the stored image */
  readonly boxes: readonly (NormalizedBox & {
    readonly label: string;
    /** whether the object counts neither as found nor as missed */
    readonly isIgnored?: boolean;
    /** many objects that nobody told apart */
    readonly isCrowd?: boolean;
    /** in px² of the stored image; absent: width × height */
    readonly areaPx?: number;
  })[];
  readonly raw: RawImage;
}

/** The boxes of images as columns: label k is space.labels[k]. */
export interface GatheredBoxes {
  readonly space: EvaluationSpace;
  readonly truth: TruthSet;
  readonly detections: DetectionSet;
  /** by label: whether the model can report it */
  readonly isOfModel: readonly boolean[];
  /** boxes of the truth of which the camera's steps leave too little to be found */
  readonly cutAwayCount: number;
}

/** The counted boxes: image number i is the one with ids[i]. */
export interface CountedBoxes extends MeasuredBoxes {
  readonly ids: readonly string[];
  readonly boxes: GatheredBoxes;
}

/** The errors at given thresholds, box by box; rows are those of the counted boxes. */
export interface ToldErrors {
  readonly errors: ErrorKinds;
  readonly confusion: ConfusionMatrix;
}

export type ReportFormat = 'html' | 'json' | 'csv';

export interface ReportOrder {
  readonly subject: ReportSubject;
  /** in force, by label number */
  readonly thresholds: Float64Array;
  /** by which a threshold is offered for each label */
  readonly goal: Goal;
  /** which images belong together */
  readonly units: Units;
  readonly format: ReportFormat;
}

/** Two runs on the same images. */
export interface PairToMeasure {
  readonly truth: readonly Pick<ImageToCount, 'boxes'>[];
  /** by image */
  readonly first: readonly RawImage[];
  readonly second: readonly RawImage[];
  /** which images belong together */
  readonly units: Units;
}

export interface ComparedRuns extends RunComparison {
  /** thresholds by which the first run keeps what the second one keeps */
  readonly matched: readonly MatchedThreshold[];
}

export interface PairReportOrder {
  readonly subject: CompareSubject;
  /** names of the images */
  readonly names: readonly string[];
  readonly format: ReportFormat;
}
