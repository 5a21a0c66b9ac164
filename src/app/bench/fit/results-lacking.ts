import type { ModelRecognition } from '../../../../workers/fit/client.ts';
import { givesResults, type Abilities } from './gives-results.ts';

/**
 * The kind of results that a model of a known family does not give the machine, and will once it is machine-ready.
 * @param recognition what the file is; null: not known, or not known yet
 * @param report what the probe found; null: not known yet
 * @param isRefused whether the machine's module does not run the file as it is
 * @returns null: it gives them, or does not run for a reason that lies elsewhere, which its report states
 */
export function resultsLacking(
  recognition: ModelRecognition | null,
  report: Abilities | null,
  isRefused: boolean,
): 'boxes' | 'classes' | null {
  if (recognition?.kind !== 'family' || !report || givesResults(recognition, report)) return null;
  if (report.detector.reason === report.classifier.reason && !isRefused) return null;
  return recognition.result === 'detections' ? 'boxes' : 'classes';
}
