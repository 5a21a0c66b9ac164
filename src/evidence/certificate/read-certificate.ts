import { CertificateError, type Certificate } from './certificate.ts';

type Test = (value: unknown) => boolean;

const isText: Test = (value) => typeof value === 'string';
const isHash: Test = (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
const isHex: Test = (value) => typeof value === 'string' && /^([0-9a-f]{2})+$/.test(value);
const isShare: Test = (value) => typeof value === 'number' && value >= 0 && value <= 1;
const isCount: Test = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isTime: Test = (value) => typeof value === 'string' && new Date(value).getTime() > 0;
const isOneOf =
  (...values: readonly unknown[]): Test =>
  (value) =>
    values.includes(value);
const orNull =
  (test: Test): Test =>
  (value) =>
    value === null || test(value);
const listOf =
  (test: Test): Test =>
  (value) =>
    Array.isArray(value) && value.every(test);
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const objectOf =
  (members: Readonly<Record<string, Test>>): Test =>
  (value) =>
    isObject(value) && Object.entries(members).every(([name, test]) => test(value[name]));

const members: Readonly<Record<Exclude<keyof Certificate, 'format' | 'version'>, Test>> = {
  claims: listOf(
    objectOf({
      figure: isOneOf('recall', 'precision'),
      label: orNull(isText),
      atLeast: isShare,
      right: isCount,
      of: isCount,
      units: isCount,
      evenUnits: isCount,
      trials: isCount,
      bound: isShare,
    }),
  ),
  confidence: (value) => isShare(value) && (value as number) > 0.5 && (value as number) < 1,
  iou: isOneOf(0.5),
  evidence: objectOf({
    dataset: isText,
    images: isCount,
    units: isCount,
    boxes: isCount,
    modelMade: orNull(isCount),
    truthSha256: isHash,
    imagesSha256: (value) => value === undefined || isHash(value),
    thresholdsFrom: isOneOf('other-images', 'these-images'),
    labelPairs: (value) => value === undefined || listOf(objectOf({ label: isText, modelLabel: isText }))(value),
    unitsFrom: isOneOf(undefined, 'recorded', 'pictures', 'stated'),
  }),
  configuration: objectOf({
    sha256: isHash,
    entry: objectOf({
      service: objectOf({ name: isText }),
      camera: orNull(isText),
      steps: listOf(isObject),
      cropsToEven: isOneOf(true, false),
      drawn: listOf(isObject),
      modelServices: listOf(objectOf({ name: isText, model: isText, attributes: isObject })),
    }),
  }),
  models: listOf(objectOf({ service: isText, name: isText, sha256: isHash })),
  labels: orNull(
    objectOf({ count: isCount, sha256: isHash, names: (value) => value === undefined || listOf(isText)(value) }),
  ),
  runtime: isText,
  ranOn: isText,
  inference: (value) => value === undefined || isText(value),
  madeAt: isTime,
  validUntil: orNull(isTime),
  madeBy: isText,
  signature: orNull(objectOf({ algorithm: isOneOf('ECDSA P-256 SHA-256'), publicKey: isHex, value: isHex })),
};

/**
 * Reads a certificate.
 *
 * @param text of its file
 * @returns the certificate, of which nothing is checked yet but its form
 * @throws CertificateError saying what the file lacks
 * @example readCertificate('{"components": []}'); // throws: not a Sightglass certificate
 */
export function readCertificate(text: string): Certificate {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new CertificateError('not-json', `It is not valid JSON: ${(cause as Error).message}`, { cause });
  }
  if (!isObject(value) || value['format'] !== 'sightglass-certificate')
    throw new CertificateError(
      'not-a-certificate',
      'It is not a Sightglass certificate: its format is not "sightglass-certificate".',
    );
  if (value['version'] !== 1)
    throw new CertificateError(
      'unknown-version',
      `It is of version ${JSON.stringify(value['version'])}, and this Sightglass reads version 1. Check it with the one that made it.`,
    );
  for (const [name, test] of Object.entries(members))
    if (!test(value[name]))
      throw new CertificateError(
        'damaged',
        `Its "${name}" is missing or not as a certificate has it: the file was damaged or edited.`,
      );
  return value as unknown as Certificate;
}

/**
 * Writes a certificate as a file that a person can read.
 *
 * @param certificate of any kind
 * @returns JSON text
 * @example writeCertificate(certificate); // '{\n  "format": "sightglass-certificate", …'
 */
export const writeCertificate = (certificate: Certificate): string => `${JSON.stringify(certificate, null, 2)}\n`;
