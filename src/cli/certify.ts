import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import type { CertifiedEntry, CertifiedModel } from '../certificate/certificate.ts';
import { certifiedEntry } from '../certificate/certified-entry.ts';
import type { EvaluatedBoxes } from '../certificate/count-claim.ts';
import { makeCertificate } from '../certificate/make-certificate.ts';
import { writeCertificate } from '../certificate/read-certificate.ts';
import { signCertificate, type SigningKey } from '../certificate/sign-certificate.ts';
import { fingerprintOf } from '../certificate/signature-state.ts';
import { truthSha256 } from '../certificate/truth-sha256.ts';
import { statementText } from '../certificate/words.ts';
import { withMachineCamera } from '../config/machine-camera.ts';
import type { LabelSweep } from '../evaluation/sweep/label-sweep.ts';
import type { VisionService } from '../vision/vision-service.ts';
import { machineRuntime } from '../vision/machine-runtime.ts';
import { loadConfig } from './load-config.ts';
import { pathFor } from './load-model.ts';
import type { NamedPaths } from './named-paths.ts';
import type { CertificateOptions } from './parse-certificate.ts';
import type { EvaluatedService } from './parse-evaluate.ts';
import type { Terminal } from './run-frames.ts';
import type { SeenFrames } from './see-frames.ts';
import { sha256 } from './sha256.ts';

/** What a certificate is made of, besides its claims. */
export interface Certifiable {
  readonly dataPath: string;
  readonly evaluated: EvaluatedService;
  /** as it was probed */
  readonly service: VisionService;
  readonly cameraName: string | null;
  readonly seen: SeenFrames;
  readonly sweeps: readonly LabelSweep[];
  /** null: it is not signed */
  readonly key: SigningKey | null;
}

/** What is printed of a certificate. */
interface WrittenCertificate {
  /** null: it was refused */
  readonly path: string | null;
  readonly refused: readonly string[];
  /** fingerprint of the key; null: it is not signed */
  readonly signedBy: string | null;
}

/** Writes a certificate, or says why the evidence does not carry it. @returns what is printed of it */
export async function certify(
  { path, claims, confidence, validDays, isSetElsewhere }: CertificateOptions,
  { dataPath, evaluated, service, cameraName, seen, sweeps, key }: Certifiable,
  { say }: Pick<Terminal, 'say'>,
): Promise<WrittenCertificate> {
  const { config } = await loadConfig(evaluated.configPath);
  const entry = certifiedEntry(withMachineCamera(config, evaluated.source), evaluated.visionName, cameraName)!;
  const { truth, space, names } = seen;
  const { certificate, refused } = makeCertificate({
    claims,
    confidence,
    boxes: evaluatedBoxes(seen, sweeps),
    evidence: {
      dataset: basename(dataPath),
      images: space.imageCount,
      boxes: sweeps.reduce((sum, { truthCount }) => sum + truthCount, 0),
      modelMade: null,
      truthSha256: truthSha256(space, truth, names),
      ...(seen.imagesSha256 !== null && { imagesSha256: seen.imagesSha256 }),
      thresholdsFrom: isSetElsewhere ? 'other-images' : 'these-images',
    },
    chosenHere: isSetElsewhere ? [] : null,
    failed: seen.failed.length,
    entry,
    models: await certifiedModels(entry, evaluated.modelPaths),
    labels: service.labels,
    runtime: machineRuntime,
    ranOn: `CPU, Node ${process.versions.node}`,
    madeBy: `Sightglass ${packageJson.version}`,
    nowMs: Date.now(),
    validDays,
  });
  for (const words of refused ?? statementText(certificate)) say(words);
  if (!certificate) return { path: null, refused, signedBy: null };
  const written = key ? await signCertificate(certificate, key) : certificate;
  await writeFile(path, writeCertificate(written));
  const signedBy = written.signature && fingerprintOf(written.signature);
  if (signedBy !== null)
    say(`Signed with key ${signedBy}: tell it to those who check, by another way than the certificate.`);
  return { path, refused: [], signedBy };
}

/** What claims are counted on. */
export const evaluatedBoxes = (
  { space, thresholds, units }: SeenFrames,
  sweeps: readonly LabelSweep[],
): EvaluatedBoxes => ({ sweeps, labels: space.labels, thresholds, units });

/** The models of an entry's services whose files are given, the service's own first. */
export async function certifiedModels(
  { service, drawn }: CertifiedEntry,
  modelPaths: NamedPaths,
): Promise<readonly CertifiedModel[]> {
  const names = [...new Set([service.name, ...drawn.map(({ name }) => name)])];
  const models = names.map(async (name): Promise<readonly CertifiedModel[]> => {
    const path = pathFor(modelPaths, name, service.name);
    return path === null ? [] : [{ service: name, name: basename(path), sha256: await sha256(path) }];
  });
  return (await Promise.all(models)).flat();
}
