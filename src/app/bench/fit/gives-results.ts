import type { ModelRecognition } from '../../../../workers/fit/client.ts';
import type { PlanReport } from '../../../../workers/vision/protocol.ts';

type Ability = Pick<PlanReport['detector'], 'able' | 'reason'>;

/** What the probe found of both kinds of results. */
export type Abilities = { readonly detector: Ability; readonly classifier: Ability };

/** Whether a model gives the machine results: one of a known family those of its kind, another one any. */
export function givesResults(recognition: ModelRecognition | null, report: Abilities | null): boolean {
  if (!report) return false;
  const { detector, classifier } = report;
  if (recognition?.kind !== 'family') return detector.able || classifier.able;
  return recognition.result === 'detections' ? detector.able : classifier.able;
}
