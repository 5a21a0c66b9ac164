import type { Certificate, CheckFinding } from '../../evidence/certificate/certificate.ts';
import { checkCertificate, isVoid, type CountedAgain } from '../../evidence/certificate/check-certificate.ts';
import { countClaim } from '../../evidence/certificate/count-claim.ts';
import { readImageDrift, type ImageDrift } from '../../evidence/certificate/image-drift.ts';
import { readCertificate } from '../../evidence/certificate/read-certificate.ts';
import { signatureState } from '../../evidence/certificate/signature-state.ts';
import { signatureFinding } from '../../evidence/certificate/signature-finding.ts';
import { truthSha256 } from '../../evidence/certificate/truth-sha256.ts';
import { statementText } from '../../evidence/certificate/words.ts';
import { labelFileOf, type ParsedMachineConfig } from '../../machine/config/face/machine-config.ts';
import { withMachineCamera } from '../../machine/config/face/cameras.ts';
import { evaluateBoxes } from '../../evidence/evaluation/face/sweep.ts';
import { isNative } from '../../platform/node/open-session.ts';
import { parseLabels } from '../../machine/vision/face/results.ts';
import { machineRuntime } from '../../machine/vision/face/runs.ts';
import { certifiedModels, evaluatedBoxes } from './certify.ts';
import { CliError, reportOf } from '../record/cli-error.ts';
import { seeTruth } from './evaluate.ts';
import { loadConfig, readTextFile } from '../shared/load-config.ts';
import { pathFor } from '../shared/load-model.ts';
import type { CheckCertificateArguments } from './evaluate-records.ts';
import { readJsonFile } from '../shared/read-json-file.ts';
import type { Terminal } from '../shared/run-frames.ts';

/**
 * Runs `sightglass check certificate.json`: compares what a certificate names with the files at hand, and its signature with
 * its key.
 * @param command parsed arguments
 * @param terminal receives one object; its sentences are said, too
 * @returns exit code: 1 where the certificate is void, otherwise 0, also where not everything was checked
 * @throws CliError, CertificateError
 * @example
 * const command = { certificatePath: 'missing.json', configPath: 'machine.json' };
 * await checkCertificateFile(command, { print() {}, say() {} }); // throws: missing.json
 */
export async function checkCertificateFile(command: CheckCertificateArguments, terminal: Terminal): Promise<number> {
  const certificate = await read(command.certificatePath);
  const { entry } = certificate.configuration;
  const parsed = await loadConfig(command.configPath);
  const given = await certifiedModels(entry, command.modelPaths);
  const labels = await presentLabels(parsed, entry.service.name, command, terminal.say);
  const drift = command.driftPath === null ? null : await readDrift(command.driftPath);
  const findings = [
    ...checkCertificate(certificate, {
      config: withMachineCamera(parsed.config, command.source),
      modelOf: (service) => given.find((model) => model.service === service)?.sha256 ?? null,
      ...(labels !== undefined && { labels }),
      runtime: machineRuntime,
      nowMs: Date.now(),
      ...(drift && { drift: [drift] }),
      ...(command.dataPath !== null && { again: await countAgain(certificate, command, command.dataPath, terminal) }),
    }),
    signatureFinding(certificate, await signatureState(certificate, crypto.subtle), command.fingerprint),
  ];
  const states = statementText(certificate);
  const isOver = isVoid(findings);
  for (const words of states) terminal.say(words);
  for (const { says, words } of findings) terminal.say(`${marks[says]} ${words}`);
  terminal.say(
    isOver
      ? 'The certificate is void.'
      : verdict(findings, { isDriftAsked: drift !== null, isCounted: command.dataPath !== null }),
  );
  terminal.print({ certificate: command.certificatePath, states, void: isOver, findings });
  return isOver || (drift && isOfOtherImages(drift, certificate)) ? 1 : 0;
}

/** Who gave a comparison meant it for this certificate. */
const isOfOtherImages = ({ imagesSha256: compared }: ImageDrift, { evidence }: Certificate): boolean =>
  compared !== null && evidence.imagesSha256 !== undefined && compared !== evidence.imagesSha256;

/** The name of each thing whose finding is open. */
const openNames: Partial<Record<CheckFinding['about'], string>> = {
  model: 'model (--model)',
  labels: 'label file (--labels)',
  drift: 'drift of later images (--drift)',
};

/** A service's model decides its boxes, so nothing is said to be as certified without naming it; nor is what was asked, or what nobody signed. */
function verdict(
  findings: readonly CheckFinding[],
  { isDriftAsked, isCounted }: { readonly isDriftAsked: boolean; readonly isCounted: boolean },
): string {
  const open = findings.flatMap(({ about, says }) => {
    const name = about === 'drift' && !isDriftAsked ? undefined : openNames[about];
    return says === 'unchecked' && name !== undefined ? [name] : [];
  });
  const of = (about: CheckFinding['about']) => findings.some((one) => one.about === about && one.says === 'unchecked');
  const doubts = [
    ...(of('signature') ? ['it is not signed, so that anybody may have written or changed it'] : []),
    ...(isCounted && of('evidence') ? ['the pictures that were evaluated again do not settle it'] : []),
    ...(open.length > 0 ? [`the ${[...new Set(open)].join(' and the ')} was not checked`] : []),
  ];
  if (doubts.length > 0) return `It is not known whether the certificate holds: ${doubts.join('; ')}.`;
  return `What was checked is as certified.${of('evidence') ? ' The pictures were not evaluated again (--data).' : ''}`;
}

const marks = { holds: 'ok      ', differs: 'VOID    ', unchecked: 'not seen' } as const;

async function read(path: string): Promise<Certificate> {
  const text = await readTextFile(path, 'certificate');
  try {
    return readCertificate(text);
  } catch (cause) {
    const { code, message } = reportOf(cause);
    throw new CliError(code, `"${path}": ${message}`, { cause });
  }
}

async function readDrift(path: string): Promise<ImageDrift> {
  const value = await readJsonFile(path, 'comparison of images');
  try {
    return readImageDrift(value);
  } catch (cause) {
    throw new CliError('not-a-comparison', `"${path}": ${reportOf(cause).message}`, { cause });
  }
}

/** The labels as the machine reads them: null where no file is named; undefined: the file that is named is not at hand. */
async function presentLabels(
  { entries }: ParsedMachineConfig,
  service: string,
  { labelPaths }: CheckCertificateArguments,
  say: (text: string) => void,
): Promise<readonly string[] | null | undefined> {
  const given = pathFor(labelPaths, service, service);
  if (given !== null) return parseLabels(await readTextFile(given, `label file of "${service}"`));
  const file = labelFileOf(entries, service);
  if (!file) return null;
  return readTextFile(file.path, 'label file').then(parseLabels, (error: unknown) => {
    say(`${reportOf(error).message} Give the label file by --labels.`);
    return undefined;
  });
}

/** Evaluates pictures at the thresholds of the configuration at hand. */
async function countAgain(
  { claims, confidence, configuration: { entry }, evidence: { unitsFrom, labelPairs = [] }, inference }: Certificate,
  { configPath, modelPaths, labelPaths, source, split, runtime }: CheckCertificateArguments,
  dataPath: string,
  terminal: Terminal,
): Promise<CountedAgain> {
  const service = {
    configPath,
    modelPaths,
    labelPaths,
    source,
    visionName: entry.service.name,
    cameraName: entry.camera,
    // What counts again as it did then, unless something else is said; certificates without a word on it are of WASM.
    runtime: runtime ?? (isNative(inference) ? null : ('wasm' as const)),
  };
  const seen = await seeTruth(
    {
      dataPath,
      split,
      areIndependent: unitsFrom === 'stated',
      // As they were when it was made, whatever lies with the pictures now.
      map: { pairs: labelPairs, files: [], own: false },
    },
    { kind: 'service', strict: true, ...service },
    terminal,
  );
  const { truth, detections, space, thresholds, ignoreRule, names } = seen;
  const { sweeps } = evaluateBoxes(truth, detections, space, thresholds, ignoreRule);
  return {
    truthSha256: truthSha256(space, truth, names),
    inference: seen.runtime!,
    counts: claims.map((claim) => countClaim(claim, evaluatedBoxes(seen, sweeps), confidence)),
  };
}
