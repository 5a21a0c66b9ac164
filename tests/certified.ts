import { DetectionSetBuilder, TruthSetBuilder } from '../src/evidence/evaluation/build-sets.ts';
import { evaluateBoxes } from '../src/evidence/evaluation/summary/summarize.ts';
import type { EvaluatedBoxes } from '../src/evidence/certificate/count-claim.ts';
import { canonicalJson } from '../src/evidence/certificate/canonical-json.ts';
import { certifiedEntry } from '../src/evidence/certificate/certified-entry.ts';
import { makeCertificate, type CertificateRequest } from '../src/evidence/certificate/make-certificate.ts';
import type { Certificate } from '../src/evidence/certificate/certificate.ts';
import { parseMachineConfig } from '../src/machine/config/parse/parse-machine-config.ts';
import type { MachineConfig } from '../src/machine/config/parse/machine-config.ts';

/** Boxes of one label, one an image: the first `found` of `images` are found, then come `false` boxes at the first images. */
export function boxesFound(found: number, images: number, falseBoxes = 0): EvaluatedBoxes {
  const [truth, detections] = [new TruthSetBuilder(), new DetectionSetBuilder()];
  for (let image = 0; image < images; image++) {
    truth.add(image, 0, [0, 0, 10, 10]);
    if (image < found) detections.add(image, 0, [0, 0, 10, 10], 0.9);
    if (image < falseBoxes) detections.add(image, 0, [50, 0, 10, 10], 0.8);
  }
  const labels = ['person'];
  const { sweeps } = evaluateBoxes(truth.build(), detections.build(), { imageCount: images, labels }, [0.5]);
  const units = { count: images, ofImage: Uint32Array.from({ length: images }, (_, at) => at) };
  return { sweeps, labels, thresholds: [0.5], units };
}

/** A service that looks through a camera with a crop, and what a change makes of it. */
export const machineText = (
  change: { readonly service?: object; readonly model?: object; readonly crop?: object; readonly source?: string } = {},
): string =>
  JSON.stringify({
    components: [
      { name: 'cam', api: 'rdk:component:camera', model: change.source ?? 'webcam', attributes: {} },
      {
        name: 'yard',
        api: 'rdk:component:camera',
        model: 'transform',
        attributes: {
          source: 'cam',
          pipeline: [
            { type: 'crop', attributes: { x_min_px: 0, y_min_px: 0, x_max_px: 5, y_max_px: 5, ...change.crop } },
          ],
        },
      },
    ],
    services: [
      {
        name: 'm',
        api: 'rdk:service:mlmodel',
        model: 'viam:mlmodel:onnx',
        attributes: { model_path: '/m/people.onnx', ...change.model },
      },
      {
        name: 'finder',
        api: 'rdk:service:vision',
        model: 'mlmodel',
        attributes: { mlmodel_name: 'm', camera_name: 'yard', default_minimum_confidence: 0.5, ...change.service },
      },
    ],
  });

export const machineOf = (...change: Parameters<typeof machineText>): MachineConfig =>
  parseMachineConfig(machineText(...change)).config;

/** 2026-11-01 */
export const certifiedAtMs = Date.UTC(2026, 10, 1);

/** The request for a certificate where all but two of 212 boxes on 212 images were found. */
export function certificateRequest(change: Partial<CertificateRequest> = {}): CertificateRequest {
  return {
    claims: [{ figure: 'recall', label: 'person', atLeast: 0.95 }],
    confidence: 0.9,
    unknownUnits: '',
    boxes: boxesFound(210, 212),
    evidence: {
      dataset: 'Yard',
      images: 212,
      boxes: 212,
      modelMade: 0,
      truthSha256: 'c'.repeat(64),
      imagesSha256: 'd'.repeat(64),
      thresholdsFrom: 'other-images',
    },
    chosenHere: [],
    failed: 0,
    entry: certifiedEntry(machineOf(), 'finder', 'yard')!,
    models: [{ service: 'finder', name: 'people.onnx', sha256: 'a'.repeat(64) }],
    labels: ['person', 'dog'],
    runtime: 'runtime 1',
    ranOn: 'CPU',
    madeBy: 'Sightglass 0.1.0',
    nowMs: certifiedAtMs,
    validDays: null,
    ...change,
  };
}

export function certificateOf(change: Partial<CertificateRequest> = {}): Certificate {
  const { certificate, refused } = makeCertificate(certificateRequest(change));
  if (!certificate) throw new Error(refused.join(' '));
  return certificate;
}

/** Signs as a browser does, by the bytes that the form says: the words, the key and the canonical statement. */
export async function signedCertificate(change: Partial<CertificateRequest> = {}): Promise<Certificate> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await crypto.subtle.generateKey(algorithm, false, ['sign', 'verify']);
  const hex = (bytes: ArrayBuffer): string => Buffer.from(bytes).toString('hex');
  const publicKey = hex(await crypto.subtle.exportKey('raw', keys.publicKey));
  const { signature: _, ...statement } = certificateOf(change);
  const bytes = new TextEncoder().encode(`sightglass-certificate ${publicKey} ${canonicalJson(statement)}`);
  const value = hex(await crypto.subtle.sign(algorithm, keys.privateKey, bytes));
  return { ...statement, signature: { algorithm: 'ECDSA P-256 SHA-256', publicKey, value } };
}
