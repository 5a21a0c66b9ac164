import { trialsNeeded } from '../evaluation/face/intervals.ts';
import { canonicalSha256 } from './canonical-json.ts';
import type { Certificate, CertifiedEvidence, Claim, CountedClaim, Statement } from './certificate.ts';
import type { CertifiedEntry } from './certificate.ts';
import { countClaim, isCarried, type EvaluatedBoxes, fewestForPrecision } from './count-claim.ts';
import { boundText, claimText, confidenceText, countText } from './words.ts';

/** What a certificate is made of. */
export interface CertificateRequest {
  readonly claims: readonly Claim[];
  /** confidence of each claim by itself; above 0.5 and below 1 */
  readonly confidence: number;
  readonly boxes: EvaluatedBoxes;
  readonly evidence: Omit<CertifiedEvidence, 'units'>;
  /** labels whose threshold was chosen on these images; null: nobody said, so it may be each of them */
  readonly chosenHere: readonly string[] | null;
  /** why it is not known which images are independent, as a sentence; '': it is known */
  readonly unknownUnits: string;
  /** images that could not be run, which are in no figure */
  readonly failed: number;
  readonly entry: CertifiedEntry;
  readonly models: Statement['models'];
  /** labels as the machine reads the label file; null: index numbers */
  readonly labels: readonly string[] | null;
  readonly runtime: string;
  readonly ranOn: string;
  /** what ran the models, in words with its version; absent or null: it is not known */
  readonly inference?: string | null;
  readonly madeBy: string;
  /** ms since 1970 */
  readonly nowMs: number;
  /** null: it does not end by itself */
  readonly validDays: number | null;
}

export type MadeCertificate =
  | { readonly certificate: Certificate; readonly refused: null }
  /** why the evidence does not carry it, a sentence each */
  | { readonly certificate: null; readonly refused: readonly string[] };

const dayMs = 24 * 3600 * 1000;

/**
 * Makes a certificate, if the evidence carries each of its claims.
 *
 * @param request claims, and what they stand on
 * @returns the certificate without a signature, or why there is none
 * @example
 * const request = { claims: [], confidence: 0.9, failed: 0, unknownUnits: '', models: [], evidence: { boxes: 0, modelMade: null } };
 * makeCertificate(request).refused; // => ['Nothing is claimed: name a figure, as recall ≥ 0.95.', 'The bytes of the model are not known, so the certificate could not name them.']
 */
export function makeCertificate(request: CertificateRequest): MadeCertificate {
  const { claims, confidence, evidence, failed, models, unknownUnits } = request;
  const refused: string[] = [];
  if (claims.length === 0) refused.push('Nothing is claimed: name a figure, as recall ≥ 0.95.');
  if (failed > 0)
    refused.push(
      `Images that could not be run, and are in no figure: ${failed}. Take them out of the dataset, or fix them, and run it again.`,
    );
  if (unknownUnits !== '') refused.push(unknownUnits);
  if (models.length === 0 || models.some(({ sha256 }) => sha256 === ''))
    refused.push('The bytes of the model are not known, so the certificate could not name them.');
  if (isAllModelMade(evidence))
    refused.push(
      'All truth boxes were made by a model. A model that is measured by its own boxes is always right: correct them, or draw boxes by hand.',
    );
  const counted: CountedClaim[] = [];
  for (const claim of claims) {
    const why = originRefusal(claim, request);
    const found = why === '' ? countClaim(claim, request.boxes, confidence)?.counted : undefined;
    const isFew = found?.figure === 'precision' && found.units < fewestForPrecision;
    if (found && isCarried(found) && !isFew) counted.push(found);
    else if (found && isFew) refused.push(fewRefusal(found));
    else refused.push(why || (found ? boundRefusal(found, request) : nothingRefusal(claim)));
  }
  return refused.length > 0
    ? { certificate: null, refused }
    : { certificate: { ...statementOf(request, counted), signature: null }, refused: null };
}

const isAllModelMade = ({ boxes, modelMade }: CertificateRequest['evidence']): boolean =>
  modelMade !== null && modelMade > 0 && modelMade >= boxes;

function statementOf(request: CertificateRequest, claims: readonly CountedClaim[]): Statement {
  const { boxes, confidence, evidence, entry, models, labels, inference = null, nowMs, validDays } = request;
  const { runtime, ranOn, madeBy } = request;
  return {
    format: 'sightglass-certificate',
    version: 1,
    claims,
    confidence,
    iou: 0.5,
    evidence: { ...evidence, units: boxes.units.count },
    configuration: { entry, sha256: canonicalSha256(entry) },
    models,
    labels: labels && { count: labels.length, sha256: canonicalSha256(labels), names: labels },
    runtime,
    ranOn,
    ...(inference !== null && { inference }),
    madeAt: new Date(nowMs).toISOString(),
    validUntil: validDays === null ? null : new Date(nowMs + validDays * dayMs).toISOString(),
    madeBy,
  };
}

/**
 * A threshold that was chosen on some images does worse on others. Recall alone only falls as the threshold rises: where
 * a number that was set before holds at the chosen threshold, the first threshold at which it is really missed has passed
 * the same test with no more than the chance allowed (Bates and others, Distribution-free, risk-controlling prediction
 * sets, 2021). With several thresholds that were chosen there is no such order for all labels together.
 */
function originRefusal({ figure, label }: Claim, { evidence, chosenHere, boxes }: CertificateRequest): string {
  if (evidence.thresholdsFrom === 'other-images') return '';
  if (figure === 'precision')
    return chosenHere === null
      ? 'Precision is certified only at thresholds that were set without these images, and nobody said that these were.'
      : 'Precision is too good on the very images on which thresholds were chosen: evaluate on other images, at these thresholds, and certify that.';
  const many = (chosenHere?.length ?? boxes.labels.length) > 1;
  if (label !== null || !many) return '';
  return chosenHere === null
    ? 'Recall of all labels together is certified only at thresholds that were set without these images, and nobody said that these were: claim it of each label, or say so.'
    : 'Recall of all labels together is not certified on the very images on which several thresholds were chosen: claim it of each label, or evaluate on other images.';
}

const fewRefusal = (counted: CountedClaim): string =>
  `${claimText(counted)} is not carried: precision takes at least ${fewestForPrecision} independent images or videos with boxes, as a kind of image with many false boxes may not be among fewer; there are ${counted.units}.`;

function boundRefusal(counted: CountedClaim, { confidence, evidence }: CertificateRequest): string {
  const { atLeast, units, evenUnits, of, bound } = counted;
  const needed = trialsNeeded(atLeast, confidence);
  const few = needed > evenUnits;
  const even = evenUnits < units ? `, worth ${evenUnits} with as many boxes each` : '';
  const worth = counted.trials < of ? `, worth no more than ${counted.trials} independent of each other` : '';
  return `${claimText(counted)} is not carried: ${countText(counted)}${worth}, which is at least ${boundText(bound)} with ${confidenceText(confidence)} confidence. ${
    few
      ? `It takes at least ${needed} images with it, even if nothing is wrong; there are ${units}${even}.`
      : adviceOf(evidence)
  }`;
}

/** Whoever changes the claim or the threshold after a look at these images has no bound any more. */
const adviceOf = ({ thresholdsFrom }: CertificateRequest['evidence']): string =>
  thresholdsFrom === 'other-images'
    ? 'Add images, claim less, or change the threshold.'
    : 'Add images, or evaluate on others: a claim or a threshold that is changed after a look at these images is not covered by the confidence.';

const nothingRefusal = ({ figure, label }: Claim): string =>
  figure === 'recall'
    ? `There is no truth of ${label ?? 'any label'} on these images, so its recall is not known.`
    : `No box of ${label ?? 'any label'} is kept on these images, so its precision is not known.`;
