import type { PlanReport } from '../../../../workers/vision/protocol.ts';
import type { SeenFrame } from '../session/seen-frame.ts';

/** ImageNet-21k, the largest list in use, has 21,841 names. */
const mostClasses = 30_000;

/**
 * Whether a service says classes at all: its model may give none, or numbers of values that the machine takes for such, those of
 * a raw head or of tensors in each other's place. A list of labels makes classes of whatever the model says.
 * @param report what the probe found; null: not known yet
 * @param latest the frame that was seen last
 * @param isListed whether it has a list of labels
 */
export function hasClasses(report: PlanReport | null, latest: SeenFrame | undefined, isListed: boolean): boolean {
  if (report && !report.detector.able && !report.classifier.able) return false;
  if (isListed) return true;
  if (report && !report.detector.able && report.classifier.code === 'no-classes') return false;
  const { detections, classifications } = latest ?? {};
  if (!detections) return (classifications?.score.length ?? 0) <= mostClasses;
  for (let row = 0; row < detections.count; row++)
    if (Number(detections.labels[detections.labelIndex[row]!]) >= mostClasses) return false;
  return true;
}
