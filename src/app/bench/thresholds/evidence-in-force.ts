import type { PresentSetup, ThresholdEvidence } from '../../../machine/config/face/edits.ts';
import { serviceThresholds } from '../../../machine/vision/face/filters.ts';

/** The evidence of the thresholds that are in force, of the model on the stage. Evidence of other models is left out; it is kept until they return. */
export function evidenceInForce(
  evidence: readonly ThresholdEvidence[],
  { config, visionName, sha256 }: Pick<PresentSetup, 'config' | 'visionName' | 'sha256'>,
): readonly ThresholdEvidence[] {
  return evidence.flatMap((one) => {
    const rule = config.visionServices.find(({ name }) => name === one.service);
    const isOfOther = one.service === visionName && sha256 !== null && one.model.sha256 !== sha256;
    if (!rule || isOfOther) return [];
    const names = one.labels.map(({ label }) => label);
    const now = serviceThresholds(names, rule);
    const labels = one.labels.filter(({ threshold }, at) => threshold === now[at]);
    return labels.length > 0 ? [{ ...one, labels }] : [];
  });
}
