import { classificationMetrics, type CalibrationBin, type ClassifiedSet } from './classification-metrics.ts';
import { classifiedSet, type ClassifiedImage } from './classified-set.ts';

/** The figures of a classifier, in short; null: nothing to measure it by. */
export interface ClassSummary {
  /** pictures with a label that the model can report */
  readonly images: number;
  /** pictures without one: they count nowhere */
  readonly leftOut: number;
  readonly metrics: Readonly<Record<'accuracy' | 'top3' | 'top5' | 'calibrationError', number | null>>;
  readonly accuracyInterval: readonly [low: number, high: number] | null;
  /** images of about the same best score, and how often that label is right; from low scores to high ones */
  readonly calibration: readonly CalibrationBin[];
  readonly perLabel: readonly ClassFigures[];
}

export interface ClassFigures {
  readonly label: string;
  readonly truth: number;
  readonly precision: number | null;
  readonly recall: number | null;
  readonly f1: number | null;
}

/**
 * @param labels that the model can report
 * @param images what it said of each
 * @returns accuracy, top-k, calibration, and the figures of each label that is there or is said
 * @example
 * const images = [{ truth: ['cat'], scores: Float64Array.of(0.9, 0.1) }, { truth: ['cat'], scores: Float64Array.of(0.2, 0.8) }];
 * summarizeClasses(['cat', 'dog'], images).metrics.accuracy; // => 0.5
 */
export function summarizeClasses(labels: readonly string[], images: readonly ClassifiedImage[]): ClassSummary {
  const { classified, counted } = classifiedSet(labels, images);
  return summarizeClassified(labels, classified, images.length - counted.length);
}

/**
 * @param labels that the model can report
 * @param classified what it said of the images that count
 * @param leftOut how many images count nowhere
 * @returns as `summarizeClasses`
 * @example
 * const classified = { count: 1, truth: Uint32Array.of(0), scores: Float64Array.of(0.9), labelCount: 1 };
 * summarizeClassified(['cat'], classified, 2).leftOut; // => 2
 */
export function summarizeClassified(
  labels: readonly string[],
  classified: ClassifiedSet,
  leftOut: number,
): ClassSummary {
  const { accuracy, topK, perLabel, calibration } = classificationMetrics(classified, [3, 5]);
  return {
    images: classified.count,
    leftOut,
    metrics: {
      accuracy: accuracy?.value ?? null,
      top3: topK[3] ?? null,
      top5: topK[5] ?? null,
      calibrationError: calibration.expectedError,
    },
    accuracyInterval: accuracy && [accuracy.low, accuracy.high],
    calibration: calibration.bins,
    perLabel: perLabel
      .map(({ truePositives, falsePositives, missed, precision, recall, f1 }, label) => ({
        figures: { label: labels[label]!, truth: truePositives + missed, precision, recall, f1 },
        isSaid: truePositives + falsePositives > 0,
      }))
      .filter(({ figures, isSaid }) => isSaid || figures.truth > 0)
      .map(({ figures }) => figures),
  };
}
