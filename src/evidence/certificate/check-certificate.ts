import type { MachineConfig } from '../../machine/config/face/machine-config.ts';
import { boundOfCounts } from '../evaluation/face/intervals.ts';
import { errorMessage } from '../../machine/vision/face/errors.ts';
import { canonicalSha256 } from './canonical-json.ts';
import type { Certificate, CheckFinding, CountedClaim } from './certificate.ts';
import { certifiedEntry } from './certified-entry.ts';
import { isCarried, type ClaimCount } from './count-claim.ts';
import { entryDifferences } from './entry-differences.ts';
import { driftFinding, type ImageDrift } from './image-drift.ts';
import { boundText, claimText, countText } from './words.ts';

/** The machine that is in force now. What is left out is not checked. */
export interface PresentMachine {
  readonly config?: MachineConfig;
  /** SHA-256 of the model of a vision service in hex; null: not known */
  readonly modelOf?: (service: string) => string | null;
  /** labels as the machine reads the label file; null: index numbers */
  readonly labels?: readonly string[] | null;
  /** whose rules this program follows */
  readonly runtime: string;
  /** ms since 1970 */
  readonly nowMs: number;
  /** comparisons of later images with those of references, whichever these are */
  readonly drift?: readonly ImageDrift[];
  /** the same claims counted again */
  readonly again?: CountedAgain;
}

export interface CountedAgain {
  readonly truthSha256: string;
  /** what ran the models, in words with its version */
  readonly inference: string;
  /** by the place of the claim; null: there was nothing to count */
  readonly counts: readonly (ClaimCount | null)[];
}

/**
 * Compares a certificate with what is in force now. Its signature is checked by `signatureFinding`.
 *
 * @param certificate as it was read
 * @param present what is in force
 * @returns a finding for each thing that a certificate names
 * @example
 * const entry = { service: { name: 'v' } };
 * const certificate = { claims: [], configuration: { entry }, models: [], labels: null, runtime: '1', madeAt: '2026-11-01T00:00:00Z' };
 * const findings = checkCertificate({ ...certificate, validUntil: null, evidence: { dataset: 'Yard' } }, { runtime: '1', nowMs: Date.now() });
 * findings[0].words; // => 'Its configuration is not the one that it was made of: the file was changed.'
 */
export function checkCertificate(certificate: Certificate, present: PresentMachine): readonly CheckFinding[] {
  return [
    statementFinding(certificate),
    entryFinding(certificate, present),
    ...certificate.models.map((model) => modelFinding(model, present)),
    labelsFinding(certificate, present),
    runtimeFinding(certificate, present),
    dateFinding(certificate, present),
    driftFinding(certificate, present.drift),
    ...evidenceFindings(certificate, present),
  ];
}

/**
 * @param findings of a check
 * @returns whether the certificate says nothing any more of what is in force
 * @example
 * isVoid([{ about: 'date', says: 'differs', words: 'It ended.' }]); // => true
 */
export const isVoid = (findings: readonly CheckFinding[]): boolean => findings.some(({ says }) => says === 'differs');

/** What the certificate says of itself: its own numbers and hashes must fit each other. */
function statementFinding({
  claims,
  confidence,
  evidence,
  labels,
  configuration: { entry, sha256 },
}: Certificate): CheckFinding {
  const about = 'statement';
  const wrong = claims.find((claim) => !fits(claim, confidence) || !isOfEvidence(claim, evidence));
  if (wrong)
    return {
      about,
      says: 'differs',
      words: `Its numbers do not carry "${claimText(wrong)}": the file was changed since it was made.`,
    };
  const isNamed =
    !labels?.names || (canonicalSha256(labels.names) === labels.sha256 && labels.names.length === labels.count);
  if (!isNamed)
    return { about, says: 'differs', words: 'Its labels are not those that it was made of: the file was changed.' };
  return canonicalSha256(entry) === sha256 && claims.length > 0
    ? { about, says: 'holds', words: 'Its numbers carry what it claims.' }
    : { about, says: 'differs', words: 'Its configuration is not the one that it was made of: the file was changed.' };
}

const fits = (claim: CountedClaim, confidence: number): boolean =>
  claim.of > 0 &&
  claim.right <= claim.of &&
  claim.trials >= 1 &&
  claim.trials <= claim.evenUnits &&
  claim.evenUnits <= Math.min(claim.units, claim.of) &&
  isCarried(claim) &&
  Math.abs(boundOfCounts(claim, confidence) - claim.bound) < 1e-9;

/** Whether the counts of a claim are part of what was evaluated. */
const isOfEvidence = (claim: CountedClaim, { images, units, boxes, modelMade }: Certificate['evidence']): boolean =>
  claim.units <= units &&
  units <= images &&
  (modelMade ?? 0) <= boxes &&
  (claim.figure !== 'recall' || claim.of <= boxes);

function entryFinding({ configuration: { entry } }: Certificate, { config }: PresentMachine): CheckFinding {
  const about = 'entry';
  if (!config) return { about, says: 'unchecked', words: 'The configuration was not checked.' };
  const { name } = entry.service;
  try {
    const now = certifiedEntry(config, name, entry.camera);
    if (!now) return { about, says: 'differs', words: `The configuration has no vision service ${name}.` };
    const differences = entryDifferences(entry, now);
    return differences.length === 0
      ? { about, says: 'holds', words: `${name}, its thresholds and its camera’s steps are as certified.` }
      : { about, says: 'differs', words: `The configuration differs: ${differences.join('; ')}.` };
  } catch (error) {
    return { about, says: 'differs', words: errorMessage(error) };
  }
}

function modelFinding({ service, name, sha256 }: Certificate['models'][number], present: PresentMachine): CheckFinding {
  const about = 'model';
  const now = present.modelOf?.(service) ?? null;
  if (now === null) return { about, says: 'unchecked', words: `The model of ${service} was not checked.` };
  return now === sha256
    ? { about, says: 'holds', words: `The model of ${service} is ${name}, as certified.` }
    : { about, says: 'differs', words: `The model of ${service} is not the certified ${name}: it has other bytes.` };
}

function labelsFinding({ labels }: Certificate, { labels: now }: PresentMachine): CheckFinding {
  const about = 'labels';
  if (now === undefined) return { about, says: 'unchecked', words: 'The label file was not checked.' };
  const isSame = (now && canonicalSha256(now)) === (labels && labels.sha256);
  if (isSame) return { about, says: 'holds', words: 'The labels are as certified.' };
  return { about, says: 'differs', words: `The labels differ: ${labelDifference(labels, now)}.` };
}

/** More labels are not listed. */
const mostListed = 3;

function labelDifference(then: Certificate['labels'], now: readonly string[] | null): string {
  if (!then || !now)
    return `${then ? `${then.count} of a label file` : 'index numbers'} then, ${now ? `${now.length} of a label file` : 'index numbers'} now`;
  const { names, count } = then;
  const counts = count === now.length ? '' : `${count} then and ${now.length} now; `;
  if (!names) return `${counts}which of them, this certificate does not tell, as an earlier version made it`;
  const other = Array.from({ length: Math.max(count, now.length) }, (_, at) => at).filter(
    (at) => names[at] !== now[at],
  );
  const listed = other
    .slice(0, mostListed)
    .map((at) => `label ${at} was ${nameText(names[at])} and is ${nameText(now[at])}`);
  const more = other.length - listed.length;
  return `${counts}${listed.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

const nameText = (name: string | undefined): string => (name === undefined ? 'none' : `“${name}”`);

function runtimeFinding({ runtime }: Certificate, present: PresentMachine): CheckFinding {
  return runtime === present.runtime
    ? { about: 'runtime', says: 'holds', words: `The rules followed are those of ${runtime}.` }
    : {
        about: 'runtime',
        says: 'unchecked',
        words: `It was made by the rules of ${runtime}, and this Sightglass follows ${present.runtime}: only a new evaluation tells whether it holds by these.`,
      };
}

function dateFinding({ madeAt, validUntil }: Certificate, { nowMs }: PresentMachine): CheckFinding {
  const about = 'date';
  const isOver = validUntil !== null && nowMs > new Date(validUntil).getTime();
  const until = validUntil === null ? '' : `, valid until ${validUntil.slice(0, 10)}`;
  if (new Date(madeAt).getTime() > nowMs + clockToleranceMs)
    return { about, says: 'differs', words: `It is dated ${madeAt.slice(0, 10)}, which is still to come.` };
  return isOver
    ? { about, says: 'differs', words: `It ended on ${validUntil.slice(0, 10)}.` }
    : { about, says: 'holds', words: `It was made on ${madeAt.slice(0, 10)}${until}.` };
}

/** Clocks of two computers differ. */
const clockToleranceMs = 24 * 3600 * 1000;

/**
 * Whether models ran then on something whose last digits may be others, so that a score at its threshold may fall on its other side.
 * What is not recorded is taken for WASM, which earlier versions ran models on.
 */
const mayRoundApart = (then: string | undefined, now: string): boolean =>
  then === undefined ? !now.endsWith('WASM') : then !== now;

function evidenceFindings(
  { claims, evidence, inference }: Certificate,
  { again }: PresentMachine,
): readonly CheckFinding[] {
  const about = 'evidence';
  if (!again) return [{ about, says: 'unchecked', words: `The evaluation of ${evidence.dataset} was not run again.` }];
  const isSame = again.truthSha256 === evidence.truthSha256;
  const roundsApart = mayRoundApart(inference, again.inference);
  const elsewhere = roundsApart
    ? `, run on ${again.inference} and then on ${inference ?? 'what it does not tell'},`
    : '';
  return claims.map((claim, at): CheckFinding => {
    const found = again.counts[at] ?? null;
    const of = `${claimText(claim)}: `;
    if (!found)
      return { about, says: isSame ? 'differs' : 'unchecked', words: `${of}there is nothing to count it on.` };
    const { counted, atMost } = found;
    const counts = `${countText(counted)}, at least ${boundText(counted.bound)}`;
    if (isSame) {
      const isEqual = counted.right === claim.right && counted.of === claim.of && counted.trials === claim.trials;
      if (isEqual)
        return { about, says: 'holds', words: `${of}the same images${elsewhere} give the same counts again.` };
      const isOpen = roundsApart && atMost >= claim.atLeast;
      return {
        about,
        says: isOpen ? 'unchecked' : 'differs',
        words: `${of}the same images${elsewhere} give ${counts}, and gave ${countText(claim)}.${isOpen ? ' The two may round apart: only the same runtime tells.' : ''}`,
      };
    }
    if (isCarried(counted)) return { about, says: 'holds', words: `${of}other images carry it too: ${counts}.` };
    return atMost < claim.atLeast
      ? {
          about,
          says: 'differs',
          words: `${of}other images contradict it: ${counts} and at most ${boundText(atMost)}.`,
        }
      : { about, says: 'unchecked', words: `${of}other images neither carry nor contradict it: ${counts}.` };
  });
}
