import type { Certificate, CheckFinding } from '../../evidence/certificate/certificate.ts';
import { checkCertificate } from '../../evidence/certificate/check-certificate.ts';
import type { ImageDrift } from '../../evidence/certificate/image-drift.ts';
import { statementText } from '../../evidence/certificate/words.ts';
import type { PresentSetup } from '../../machine/config/face/edits.ts';
import { machineRuntime } from '../../machine/vision/face/runs.ts';
import type { KeptCertificates } from './kept-certificates.svelte.ts';

/** What certificates are compared with. */
export interface InForce {
  readonly present: PresentSetup;
  /** comparisons of later images, of any dataset */
  readonly drift: readonly ImageDrift[];
  readonly nowMs: number;
}

/** Why a certificate says nothing any more of what is on the bench, a sentence each; none: nothing speaks against it. */
export function whyVoid(certificate: Certificate, now: InForce): readonly string[] {
  return findings(certificate, now)
    .filter(({ says }) => says === 'differs')
    .map(({ words }) => words);
}

/** Which models and labels of a certificate could not be compared, such as while no model is loaded; a sentence each. */
export const whyUnchecked = (certificate: Certificate, now: InForce): readonly string[] =>
  findings(certificate, now)
    .filter(({ about, says }) => isOfModel(about) && says === 'unchecked')
    .map(({ words }) => words);

const isOfModel = (about: CheckFinding['about']): boolean => about === 'model' || about === 'labels';

function findings(certificate: Certificate, { present, drift, nowMs }: InForce): readonly CheckFinding[] {
  const { service } = certificate.configuration.entry;
  const isTuned = service.name === present.visionName;
  return checkCertificate(certificate, {
    config: present.config,
    modelOf: (name) => (name === present.visionName ? present.sha256 : null),
    // Without its model, not even the labels may be known yet.
    ...(isTuned && present.sha256 !== null && { labels: present.labels }),
    runtime: machineRuntime,
    nowMs,
    drift,
  });
}

/** What the certificates of the tuned service state that are not void, and whose model and labels are those on the bench. */
export const validStatements = (kept: Pick<KeptCertificates, 'of'>, now: InForce): readonly string[] =>
  kept
    .of(now.present.visionName)
    .filter((certificate) => whyVoid(certificate, now).length === 0 && whyUnchecked(certificate, now).length === 0)
    .flatMap(statementText);
