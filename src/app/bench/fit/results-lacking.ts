import type { ModelRecognition } from '../../../../workers/fit/client.ts';
import type { PlanReport } from '../../../../workers/vision/protocol.ts';

type Ability = Pick<PlanReport['detector'], 'able' | 'reason'>;

type Report = { readonly detector: Ability; readonly classifier: Ability };

/** Whether a model gives the machine results: one of a known family those of its kind, another one any. */
export function givesResults(recognition: ModelRecognition | null, report: Report | null): boolean {
  if (!report) return false;
  const { detector, classifier } = report;
  if (recognition?.kind !== 'family') return detector.able || classifier.able;
  return recognition.result === 'detections' ? detector.able : classifier.able;
}

/**
 * The kind of results that a model of a known family does not give the machine, and will once it is machine-ready.
 * @param recognition what the file is; null: not known, or not known yet
 * @param report what the probe found; null: not known yet
 * @param isRefused whether the machine's module does not run the file as it is
 * @returns null: it gives them, or does not run for a reason that lies elsewhere, which its report states
 */
export function resultsLacking(
  recognition: ModelRecognition | null,
  report: Report | null,
  isRefused: boolean,
): 'boxes' | 'classes' | null {
  if (recognition?.kind !== 'family' || !report || givesResults(recognition, report)) return null;
  if (report.detector.reason === report.classifier.reason && !isRefused) return null;
  return recognition.result === 'detections' ? 'boxes' : 'classes';
}
