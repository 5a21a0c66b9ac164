import type { ModelRecognition } from '../../../../workers/fit/client.ts';
import type { PlanReport } from '../../../../workers/vision/protocol.ts';

type Ability = Pick<PlanReport['detector'], 'able' | 'reason'>;

/**
 * The kind of results that a model of a known family does not give the machine, and will once it is machine-ready.
 * @param recognition what the file is; null: not known, or not known yet
 * @param report what the probe found; null: not known yet
 * @returns null: it gives them, or the model does not run at all, for which its report states the reason
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
