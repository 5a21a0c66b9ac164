import { beforeAll, describe, expect, it } from 'vitest';
import { certificateOf, certifiedAtMs, machineOf, signedCertificate } from '../../../tests/certified.ts';
import type { Certificate, CheckFinding } from './certificate.ts';
import { checkCertificate, isVoid } from './check-certificate.ts';
import { readCertificate, writeCertificate } from './read-certificate.ts';
import { signatureFinding } from './signature-finding.ts';
import { signatureState } from './signature-state.ts';

/** A certificate's JSON, which whoever holds the file can edit. */
type Text = {
  [member: string]: unknown;
  claims: Record<string, number | string | null>[];
  evidence: Record<string, unknown>;
  configuration: { entry: Record<string, unknown> & { service: Record<string, unknown> }; sha256: string };
  models: Record<string, string>[];
  labels: Record<string, unknown> | null;
};

const claim = (member: string, value: number | string | null) => (text: Text) => void (text.claims[0]![member] = value);
const evidence = (member: string, value: unknown) => (text: Text) => void (text.evidence[member] = value);
const service = (member: string, value: unknown) => (text: Text) =>
  void (text.configuration.entry.service[member] = value);
const hash = 'e'.repeat(64);

/** 'void': its own numbers, or what is at hand, show it; 'unsigned': only a signature would. */
const forgeries: readonly (readonly [name: string, shows: 'void' | 'unsigned', forge: (text: Text) => void])[] = [
  ['a bound that is higher', 'void', claim('bound', 0.999)],
  [
    'a bound that is a little higher',
    'void',
    (text) => void (text.claims[0]!['bound'] = Number(text.claims[0]!['bound']) + 1e-6),
  ],
  ['a bound that is lower', 'void', claim('bound', 0.5)],
  ['a promise that is higher', 'void', claim('atLeast', 0.999)],
  ['a promise that is lower', 'unsigned', claim('atLeast', 0.5)],
  ['more that was found', 'void', claim('right', 212)],
  ['more that was found than there is', 'void', claim('right', 500)],
  ['fewer boxes to find', 'void', claim('of', 210)],
  ['no boxes to find', 'void', claim('of', 0)],
  ['more trials', 'void', claim('trials', 213)],
  [
    'more trials, of as many units',
    'void',
    (text) => void Object.assign(text.claims[0]!, { trials: 9000, evenUnits: 9000 }),
  ],
  ['no trials', 'void', claim('trials', 0)],
  ['more even units than units', 'void', claim('evenUnits', 500)],
  ['more units than were evaluated', 'void', (text) => void Object.assign(text.claims[0]!, { units: 5000 })],
  ['another figure', 'unsigned', claim('figure', 'precision')],
  ['another label', 'unsigned', claim('label', 'dog')],
  ['all labels', 'unsigned', claim('label', null)],
  [
    'a claim twice, of another label',
    'unsigned',
    (text) => void text.claims.push({ ...text.claims[0]!, label: 'dog' }),
  ],
  ['no claim', 'void', (text) => void (text.claims = [])],
  ['more confidence', 'void', (text) => void (text['confidence'] = 0.99)],
  ['less confidence', 'void', (text) => void (text['confidence'] = 0.6)],
  ['another data set', 'unsigned', evidence('dataset', 'All yards')],
  ['fewer images than units', 'void', evidence('images', 10)],
  ['more images', 'unsigned', evidence('images', 9000)],
  ['fewer units than were counted', 'void', evidence('units', 10)],
  ['fewer boxes than were counted', 'void', evidence('boxes', 10)],
  ['more boxes by a model than there are', 'void', evidence('modelMade', 500)],
  ['fewer boxes by a model', 'unsigned', evidence('modelMade', null)],
  ['another truth', 'unsigned', evidence('truthSha256', hash)],
  ['other images', 'unsigned', evidence('imagesSha256', hash)],
  ['thresholds from these images', 'unsigned', evidence('thresholdsFrom', 'these-images')],
  ['a lower threshold', 'void', service('defaultMinimumConfidence', 0.1)],
  ['thresholds of labels', 'void', service('labelConfidences', { person: 0.1 })],
  ['other colours', 'void', service('bgr', true)],
  ['another mean', 'void', service('meanValue', [0, 0, 0])],
  ['another service', 'void', service('name', 'other')],
  ['another camera', 'void', (text) => void (text.configuration.entry['camera'] = null)],
  ['no steps', 'void', (text) => void (text.configuration.entry['steps'] = [])],
  ['another source', 'void', (text) => void (text.configuration.entry['cropsToEven'] = false)],
  ['another model service', 'void', (text) => void (text.configuration.entry['modelServices'] = [])],
  ['another hash of the configuration', 'void', (text) => void (text.configuration.sha256 = hash)],
  ['another hash of the model', 'void', (text) => void (text.models[0]!['sha256'] = hash)],
  ['another name of the model', 'unsigned', (text) => void (text.models[0]!['name'] = 'better.onnx')],
  ['another hash of the labels', 'void', (text) => void (text.labels!['sha256'] = hash)],
  ['other names of labels', 'void', (text) => void (text.labels!['names'] = ['person', 'cat'])],
  ['another number of labels', 'void', (text) => void (text.labels!['count'] = 3)],
  ['no labels', 'void', (text) => void (text.labels = null)],
  ['a date to come', 'void', (text) => void (text['madeAt'] = '2999-01-01T00:00:00Z')],
  ['a later date', 'unsigned', (text) => void (text['madeAt'] = '2026-11-02T00:00:00Z')],
  ['no end', 'unsigned', (text) => void (text['validUntil'] = null)],
  ['a later end', 'unsigned', (text) => void (text['validUntil'] = '2999-01-01T00:00:00Z')],
  ['another program', 'unsigned', (text) => void (text['madeBy'] = 'Sightglass 9')],
  ['another place to run', 'unsigned', (text) => void (text['ranOn'] = 'the machine')],
  ['a member more', 'unsigned', (text) => void (text['approvedBy'] = 'the inspector')],
];

async function checked(certificate: Certificate): Promise<readonly CheckFinding[]> {
  return [
    ...checkCertificate(certificate, {
      config: machineOf(),
      modelOf: () => 'a'.repeat(64),
      labels: ['person', 'dog'],
      runtime: 'runtime 1',
      nowMs: certifiedAtMs + 3 * 24 * 3600 * 1000,
    }),
    signatureFinding(certificate, await signatureState(certificate, crypto.subtle), null),
  ];
}

function forged(certificate: Certificate, forge: (text: Text) => void): Certificate {
  const text = JSON.parse(writeCertificate(certificate)) as Text;
  forge(text);
  return readCertificate(JSON.stringify(text));
}

describe('a certificate that was forged', () => {
  let signed: Certificate;
  beforeAll(async () => {
    signed = await signedCertificate({ validDays: 30 });
  });

  it('holds before', async () => {
    expect(isVoid(await checked(signed))).toBe(false);
    expect(isVoid(await checked(certificateOf({ validDays: 30 })))).toBe(false);
  });

  it.each(forgeries)('is void where it is signed: %s', async (_, __, forge) => {
    const findings = await checked(forged(signed, forge));
    expect(findings.at(-1)).toMatchObject({ about: 'signature', says: 'differs' });
  });

  it.each(forgeries)(
    'is void, or said to be unsigned, where its signature is stripped: %s',
    async (_, shows, forge) => {
      const findings = await checked({ ...forged(signed, forge), signature: null });
      expect(isVoid(findings)).toBe(shows === 'void');
      expect(findings.at(-1)).toEqual({
        about: 'signature',
        says: 'unchecked',
        words: 'It is not signed: anybody may have written or changed it.',
      });
    },
  );

  it.each([
    ['by another key', (own: Certificate, other: Certificate) => ({ ...own, signature: other.signature })],
    [
      'by a key that did not sign it',
      (own: Certificate, other: Certificate) => ({
        ...own,
        signature: { ...own.signature!, publicKey: other.signature!.publicKey },
      }),
    ],
    [
      'with a value of another',
      (own: Certificate, other: Certificate) => ({
        ...own,
        signature: { ...own.signature!, value: other.signature!.value },
      }),
    ],
    ['with no value', (own: Certificate) => ({ ...own, signature: { ...own.signature!, value: '00' } })],
    [
      'with no point of the curve',
      (own: Certificate) => ({ ...own, signature: { ...own.signature!, publicKey: '04'.repeat(65) } }),
    ],
  ])('is void where it is signed %s', async (_, resign) => {
    const other = await signedCertificate({ claims: [{ figure: 'recall', label: 'person', atLeast: 0.9 }] });
    expect(isVoid(await checked(resign(signed, other)))).toBe(true);
  });
});

describe('which labels differ', () => {
  const words = (labels: readonly string[] | null, change: (certificate: Certificate) => Certificate = (one) => one) =>
    checkCertificate(change(certificateOf()), { runtime: 'runtime 1', nowMs: certifiedAtMs, labels }).find(
      ({ about }) => about === 'labels',
    )!.words;

  it.each([
    [['person', 'cat'], 'The labels differ: label 1 was “dog” and is “cat”.'],
    [['dog', 'person'], 'The labels differ: label 0 was “person” and is “dog”; label 1 was “dog” and is “person”.'],
    [['person'], 'The labels differ: 2 then and 1 now; label 1 was “dog” and is none.'],
    [
      ['a', 'b', 'c', 'd', 'e'],
      'The labels differ: 2 then and 5 now; label 0 was “person” and is “a”; label 1 was “dog” and is “b”; label 2 was none and is “c”; and 2 more.',
    ],
    [null, 'The labels differ: 2 of a label file then, index numbers now.'],
  ])('%j', (labels, said) => {
    expect(words(labels)).toBe(said);
  });

  it('is not known of a certificate of an earlier version', () => {
    const earlier = ({ labels, ...one }: Certificate): Certificate => ({
      ...one,
      labels: { count: labels!.count, sha256: labels!.sha256 },
    });
    expect(words(['person', 'dog'], earlier)).toBe('The labels are as certified.');
    expect(words(['person', 'cat'], earlier)).toContain('which of them, this certificate does not tell');
  });
});
