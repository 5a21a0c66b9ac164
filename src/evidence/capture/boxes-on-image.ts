import type { Classification, Detection, NormalizedBox } from '../../machine/vision/face/results.ts';
import type { ImageBox, ImageClass } from './capture.ts';

/**
 * Converts detections to boxes on the source image. `onSource` maps a detection to the source; those wholly outside
 * are left out.
 */
export function boxesOnImage(
  detections: readonly Detection[],
  onSource: (detection: Detection) => NormalizedBox | null,
  idOf: (row: number) => string,
): ImageBox[] {
  return detections.flatMap((detection, row) => {
    const box = onSource(detection);
    if (!box) return [];
    return [{ id: idOf(row), label: labelText(detection.label), ...box, confidence: confidenceOf(detection.score) }];
  });
}

export function classesOfImage(
  classifications: readonly Classification[],
  idOf: (row: number) => string,
): ImageClass[] {
  return classifications.map(({ label, score }, row) => ({
    id: idOf(row),
    label: labelText(label),
    confidence: confidenceOf(score),
  }));
}

/** The data service refuses an empty label. */
function labelText(label: string): string {
  return label.trim() === '' ? 'unlabelled' : label;
}

/** NaN and infinite scores are no confidence: null. */
function confidenceOf(score: number): number | null {
  return Number.isNaN(score) ? null : Math.min(1, Math.max(0, score));
}
