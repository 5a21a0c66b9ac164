import type { PlanReport } from '../../../../workers/vision/protocol.ts';
import type { SeenFrame } from '../session/seen-frame.ts';

/** ImageNet-21k, the largest list in use, has 21,841 names. */
const mostClasses = 30_000;

/**
 * Whether what a service says are classes, or numbers of values that the machine takes for such: those of a
 * raw head, or of tensors in each other's place.
 * @param report what the probe found; null: not known yet
 * @param latest the frame that was seen last
 * @param labelCount how many its label list has: as many values are classes; null: it has none
 */
export function hasClasses(
  report: PlanReport | null,
  latest: SeenFrame | undefined,
  labelCount: number | null,
): boolean {
  const { detections, classifications } = latest ?? {};
  if (labelCount !== null && (detections || classifications?.score.length === labelCount)) return true;
  if (report && !report.detector.able && report.classifier.code === 'no-classes') return false;
  if (!detections) return (classifications?.score.length ?? 0) <= mostClasses;
  for (let row = 0; row < detections.count; row++)
    if (Number(detections.labels[detections.labelIndex[row]!]) >= mostClasses) return false;
  return true;
}
