import { describe, expect, it } from 'vitest';
import { boxesFound, certificateOf, certificateRequest } from '../../../tests/certified.ts';
import type { Claim } from './certificate.ts';
import { makeCertificate, type CertificateRequest } from './make-certificate.ts';
import { readCertificate, writeCertificate } from './read-certificate.ts';
import { statementText } from './words.ts';

const refusedBy = (change: Partial<CertificateRequest>): string =>
  makeCertificate(certificateRequest(change)).refused?.join(' ') ?? '';
const of = (figure: Claim['figure'], label: string | null, atLeast: number): readonly Claim[] => [
  { figure, label, atLeast },
];

it('states what is claimed, of how many boxes, and what it stands on', () => {
  const certificate = certificateOf({ validDays: 30 });
  expect(statementText(certificate)).toEqual([
    'On camera yard, recall of person ≥ 0.95 with 90 % confidence: 210 of 212 labelled boxes found, all counted together.',
  ]);
  expect(certificate).toMatchObject({
    evidence: { dataset: 'Yard', images: 212, units: 212, boxes: 212, thresholdsFrom: 'other-images' },
    labels: { count: 2 },
    madeAt: '2026-11-01T00:00:00.000Z',
    validUntil: '2026-12-01T00:00:00.000Z',
    signature: null,
  });
  expect(readCertificate(writeCertificate(certificate))).toEqual(certificate);
});

it('says in each sentence what the evidence leaves open', () => {
  const { evidence } = certificateRequest();
  const said = (change: Partial<typeof evidence>) =>
    statementText(certificateOf({ evidence: { ...evidence, ...change } })).join(' ');
  expect(said({ modelMade: 3 })).toContain(
    'boxes found, all counted together; 3 of 212 truth boxes were made by a model.',
  );
  expect(said({ modelMade: null })).toContain('it is not known how many truth boxes were made by a model.');
  expect(said({ thresholdsFrom: 'these-images' })).toContain('; the thresholds count as chosen on these images.');
  expect(refusedBy({ evidence: { ...evidence, modelMade: 212 } })).toContain('All truth boxes were made');
});

describe('a claim that is not carried', () => {
  it('is refused below the edge of the exact bound, and taken at it', () => {
    const claims = of('recall', 'person', 0.95);
    expect(refusedBy({ claims, boxes: boxesFound(45, 45) })).toBe('');
    expect(refusedBy({ claims, boxes: boxesFound(44, 44) })).toContain('It takes at least 45 images');
    // 0.97509… is the bound of two misses among 212.
    expect(refusedBy({ claims: of('recall', 'person', 0.975) })).toBe('');
    expect(refusedBy({ claims: of('recall', 'person', 0.9751) })).toContain('which is at least 0.975 with 90 %');
    expect(refusedBy({ claims: of('recall', 'person', 0.975), confidence: 0.95 })).toContain('is not carried');
  });

  it('is refused for what was not counted', () => {
    expect(refusedBy({ claims: [] })).toContain('Nothing is claimed');
    expect(refusedBy({ claims: of('recall', 'cat', 0.5) })).toContain('no truth of cat');
    expect(refusedBy({ claims: of('precision', 'person', 0.5), boxes: boxesFound(0, 212) })).toContain(
      'No box of person',
    );
    expect(refusedBy({ failed: 1 })).toContain('could not be run, and are in no figure: 1.');
    const { evidence } = certificateRequest();
    const modelMade = (count: number, boxes: number) =>
      refusedBy({ evidence: { ...evidence, modelMade: count, boxes } });
    expect(modelMade(212, 212)).toContain('made by a model');
    expect(modelMade(211, 212) + modelMade(0, 0)).toBe('');
    expect(refusedBy({ models: [] })).toContain('bytes of the model');
    expect(refusedBy({ models: [{ service: 'finder', name: 'm.onnx', sha256: '' }] })).toContain('bytes of the model');
  });

  it('makes no certificate of the others', () => {
    const claims = [...of('recall', 'person', 0.9), ...of('recall', 'person', 0.99)];
    expect(makeCertificate(certificateRequest({ claims })).refused).toHaveLength(1);
  });
});

describe('precision', () => {
  it('counts false boxes', () => {
    const claims = of('precision', 'person', 0.9);
    expect(certificateOf({ claims, boxes: boxesFound(100, 100, 2) }).claims).toMatchObject([{ right: 100, of: 102 }]);
    expect(refusedBy({ claims, boxes: boxesFound(100, 100, 15) })).toContain('100 of 115 kept boxes right');
  });

  it('is not certified of fewer than 30 images, whatever the bound', () => {
    const claims = of('precision', 'person', 0.5);
    expect(refusedBy({ claims, boxes: boxesFound(29, 29) })).toContain('at least 30 independent images or videos');
    expect(refusedBy({ claims, boxes: boxesFound(30, 30) })).toBe('');
    expect(refusedBy({ claims: of('recall', 'person', 0.5), boxes: boxesFound(29, 29) })).toBe('');
  });
});

describe('thresholds that were chosen on the same images', () => {
  const { evidence } = certificateRequest();
  const here = { evidence: { ...evidence, thresholdsFrom: 'these-images' as const }, chosenHere: ['person'] };

  it('carry recall, which only falls as the threshold rises', () => {
    expect(refusedBy(here)).toBe('');
    expect(refusedBy({ ...here, claims: of('recall', null, 0.95) })).toBe('');
  });

  it('are not to be chosen anew until the claim holds', () => {
    const claims = of('recall', 'person', 0.99);
    const boxes = boxesFound(580, 600);
    expect(refusedBy({ claims, boxes })).toContain('Add images, claim less, or change the threshold.');
    expect(refusedBy({ ...here, claims, boxes })).toContain('Add images, or evaluate on others');
  });

  it('carry no precision, and no recall of several labels together', () => {
    const precision = of('precision', 'person', 0.5);
    expect(refusedBy({ ...here, claims: precision })).toContain('evaluate on other images');
    expect(refusedBy({ ...here, claims: precision, chosenHere: null })).toContain('nobody said');
    expect(refusedBy({ ...here, claims: of('recall', null, 0.95), chosenHere: ['person', 'dog'] })).toContain(
      'each label',
    );
    expect(refusedBy({ claims: precision })).toBe('');
  });

  it('are those of each label where nobody said of which', () => {
    const all = { ...here, claims: of('recall', null, 0.95), chosenHere: null };
    expect(refusedBy(all)).toBe('');
    const boxes = { ...boxesFound(210, 212), labels: ['person', 'dog'] };
    expect(refusedBy({ ...all, boxes })).toContain('nobody said that these were');
  });
});

describe('reading', () => {
  const text = writeCertificate(certificateOf());
  it.each([
    ['{', 'not valid JSON'],
    ['[]', 'not a Sightglass certificate'],
    [text.replace('"version": 1', '"version": 2'), 'reads version 1'],
    [text.replace('"claims"', '"claim"'), '"claims" is missing'],
    [text.replace('"atLeast": 0.95', '"atLeast": "0.95"'), '"claims" is missing'],
    [text.replace(`"${'a'.repeat(64)}"`, '"ab"'), '"models" is missing'],
    [text.replace('"madeAt": "2026', '"madeAt": "never'), '"madeAt" is missing'],
    [text.replace('"signature": null', '"signature": {}'), '"signature" is missing'],
  ])('refuses %#', (changed, words) => {
    expect(() => readCertificate(changed)).toThrow(words);
  });
});
