import { pairsText } from '../datasets/face/labels.ts';
import type { CertifiedEvidence, Claim, CountedClaim, Statement } from './certificate.ts';

/**
 * @param claim a figure with what it is at least
 * @returns "recall of person ≥ 0.95"
 * @example claimText({ figure: 'recall', label: 'person', atLeast: 0.95 }); // => 'recall of person ≥ 0.95'
 */
export function claimText({ figure, label, atLeast }: Claim): string {
  return `${figure} of ${label ?? 'all labels together'} ≥ ${atLeast}`;
}

/** Four digits, rounded down: a bound is never said to be better than it is. */
export const boundText = (bound: number): string => String(Math.floor(bound * 10_000 + 1e-6) / 10_000);

/** "210 of 212 labelled boxes found": what a claim was counted on. */
export function countText({ figure, right, of }: CountedClaim): string {
  return figure === 'recall' ? `${right} of ${of} labelled boxes found` : `${right} of ${of} kept boxes right`;
}

/** 90 % */
export const confidenceText = (confidence: number): string => `${Number((100 * confidence).toFixed(2))} %`;

/**
 * Says what a certificate states, one sentence a claim.
 *
 * @param statement of the certificate
 * @returns "On camera yard, recall of person ≥ 0.95 with 90 % confidence: 210 of 212 labelled boxes found."
 * @example statementText({ claims: [], confidence: 0.9 }); // => []
 */
export function statementText({ claims, confidence, configuration, evidence }: Statement): readonly string[] {
  return claims.map((claim) => {
    const { camera } = configuration.entry;
    const where = camera === null ? 'On pictures as they are' : `On camera ${camera}`;
    return `${where}, ${claimText(claim)} with ${confidenceText(confidence)} confidence: ${[`${countText(claim)}, all counted together`, ...caveats(evidence)].join('; ')}.`;
  });
}

/** What makes a claim weaker than its numbers look. */
function caveats({
  boxes,
  modelMade,
  thresholdsFrom,
  unitsFrom,
  labelPairs = [],
}: CertifiedEvidence): readonly string[] {
  const words: string[] = [];
  if (modelMade === null) words.push('it is not known how many truth boxes were made by a model');
  else if (modelMade > 0) words.push(`${modelMade} of ${boxes} truth boxes were made by a model`);
  if (thresholdsFrom === 'these-images') words.push('the thresholds count as chosen on these images');
  if (unitsFrom === 'stated') words.push('somebody said that each image shows another scene or time');
  if (labelPairs.length > 0) words.push(`of the labels of the dataset, ${pairsText(labelPairs)}`);
  return words;
}
