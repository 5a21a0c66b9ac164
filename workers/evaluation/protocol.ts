import type { Goal, Units } from '../../src/evidence/evaluation/face/thresholds.ts';
import type { CompareSubject, MatchedThreshold, RunComparison } from '../../src/evidence/evaluation/face/comparison.ts';
import type { DetectionSet, EvaluationSpace, TruthSet } from '../../src/evidence/evaluation/face/sets.ts';
import type { ReportSubject } from '../../src/evidence/evaluation/face/report.ts';
import type { ConfusionMatrix, ErrorKinds, MeasuredBoxes } from '../../src/evidence/evaluation/face/sweep.ts';
import type { RawImage } from '../../src/platform/ports/raw-image.ts';
import type { NormalizedBox } from '../../src/machine/vision/face/results.ts';

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
