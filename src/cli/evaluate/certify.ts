import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import packageJson from '../../../package.json' with { type: 'json' };
import type { CertifiedEntry, CertifiedModel } from '../../evidence/certificate/certificate.ts';
import { certifiedEntry } from '../../evidence/certificate/certified-entry.ts';
import type { EvaluatedBoxes } from '../../evidence/certificate/count-claim.ts';
import { makeCertificate } from '../../evidence/certificate/make-certificate.ts';
import { writeCertificate } from '../../evidence/certificate/read-certificate.ts';
import { signCertificate, type SigningKey } from '../../evidence/certificate/sign-certificate.ts';
import { fingerprintOf } from '../../evidence/certificate/signature-state.ts';
import { truthSha256 } from '../../evidence/certificate/truth-sha256.ts';
import { statementText } from '../../evidence/certificate/words.ts';
import type { LabelSweep } from '../../evidence/evaluation/face/sweep.ts';
import { machineRuntime } from '../../machine/vision/face/runs.ts';
import { dependenceCure, dependenceDoubt, knownBasis } from '../../evidence/datasets/face/independence.ts';
import type { RunnableService } from '../../machine/vision/face/filters.ts';
import { pathFor } from '../shared/load-model.ts';
import type { NamedPaths } from '../shared/named-paths.ts';
import type { CertificateOptions } from './certificate-options.ts';
import type { LoadedMachine } from '../shared/load-machine.ts';
import type { Terminal } from '../shared/run-frames.ts';
import type { SeeingMachine, SeenFrames } from './see-frames.ts';
import { sha256OfFile } from '../shared/sha256.ts';

/** What a certificate is made of, besides its claims. */
export interface Certifiable {
  readonly dataPath: string;
  /** with the configuration and the models that the pictures ran through: their files may be others by now */
  readonly opened: Pick<LoadedMachine, 'config' | 'loaded' | 'runtime'> &
    Omit<SeeingMachine, 'machine'> & { readonly probed: RunnableService };
  readonly seen: SeenFrames;
  readonly sweeps: readonly LabelSweep[];
  /** null: it is not signed */
  readonly key: SigningKey | null;
}

/** The printed result of a certificate. */
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
  { dataPath, opened, seen, sweeps, key }: Certifiable,
  { say }: Pick<Terminal, 'say'>,
): Promise<WrittenCertificate> {
  const { config, loaded, runtime, visionName, cameraName, probed } = opened;
  const entry = certifiedEntry(config, visionName, cameraName)!;
  const { truth, space, names } = seen;
  const basis = knownBasis(seen.dependence);
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
      ...(basis && { unitsFrom: basis }),
      ...(seen.labelPairs.length > 0 && { labelPairs: seen.labelPairs }),
    },
    chosenHere: isSetElsewhere ? [] : null,
    unknownUnits: basis ? '' : `${dependenceDoubt(seen.dependence)} ${dependenceCure}`,
    failed: seen.failed.length,
    entry,
    models: loadedModels(entry, loaded),
    labels: probed.service.labels,
    runtime: machineRuntime,
    ranOn: `CPU, Node ${process.versions.node}`,
    inference: runtime,
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

/** The models of an entry's services as they were loaded, the service's own first: their files may be others by now. */
export const loadedModels = (entry: CertifiedEntry, loaded: LoadedMachine['loaded']): readonly CertifiedModel[] =>
  servicesOf(entry).flatMap((service): readonly CertifiedModel[] => {
    const model = loaded[service];
    return model ? [{ service, name: model.fileName, sha256: model.sha256 }] : [];
  });

/** The models of an entry's services whose files are given, the service's own first. */
export async function certifiedModels(
  entry: CertifiedEntry,
  modelPaths: NamedPaths,
): Promise<readonly CertifiedModel[]> {
  const models = servicesOf(entry).map(async (name): Promise<readonly CertifiedModel[]> => {
    const path = pathFor(modelPaths, name, entry.service.name);
    return path === null ? [] : [{ service: name, name: basename(path), sha256: await sha256OfFile(path) }];
  });
  return (await Promise.all(models)).flat();
}

/** The service itself first, then those that steps on its camera's way draw with. */
const servicesOf = ({ service, drawn }: CertifiedEntry): readonly string[] => [
  ...new Set([service.name, ...drawn.map(({ name }) => name)]),
];
