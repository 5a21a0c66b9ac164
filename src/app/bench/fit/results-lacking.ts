import type { ModelRecognition } from '../../../../workers/fit/client.ts';
import type { PlanReport } from '../../../../workers/vision/protocol.ts';

type Ability = Pick<PlanReport['detector'], 'able' | 'reason'>;

/**
 * What the machine does not get of a model that gives it once the model is made machine-ready.
 * @param recognition what the file is; null: not known, or not known yet
 * @param report what the probe found; null: not known yet
 * @returns null: it gets them, or making it machine-ready is not the cure: a model that does not run at all says itself why
 */
export function resultsLacking(
  recognition: ModelRecognition | null,
  report: { readonly detector: Ability; readonly classifier: Ability } | null,
): 'boxes' | 'classes' | null {
  if (recognition?.kind !== 'family' || !report) return null;
  const { detector, classifier } = report;
  const [wanted, other] = recognition.result === 'detections' ? [detector, classifier] : [classifier, detector];
  if (wanted.able || wanted.reason === other.reason) return null;
  return recognition.result === 'detections' ? 'boxes' : 'classes';
}
