import { describe, expect, it } from 'vitest';
import { boxesFound, certificateOf, certifiedAtMs, machineOf } from '../../../tests/certified.ts';
import { checkCertificate, isVoid, type PresentMachine } from './check-certificate.ts';
import { boundOfCounts } from '../evaluation/intervals/lower-bound.ts';
import type { Certificate, CountedClaim } from './certificate.ts';
import { countClaim } from './count-claim.ts';
import { readImageDrift, replaces, type ImageDrift } from './image-drift.ts';
import { imagesSha256 } from './images-sha256.ts';

const comparedWith = (change: Partial<ImageDrift>): ImageDrift => ({
  imagesSha256: 'd'.repeat(64),
  comparedAt: '2026-11-05T08:00:00Z',
  later: 'June',
  laterCount: 40,
  isSameCamera: true,
  laterUntil: '2026-11-04T08:00:00Z',
  canTell: true,
  level: 0.05,
  untested: [],
  shifted: ['brightness (median 20 % instead of 50 %)'],
  shiftedFeatures: ['brightness'],
  ...change,
});

const dayMs = 24 * 3600 * 1000;
const present = (change: Partial<PresentMachine> = {}): PresentMachine => ({
  config: machineOf(),
  modelOf: () => 'a'.repeat(64),
  labels: ['person', 'dog'],
  runtime: 'runtime 1',
  nowMs: certifiedAtMs + dayMs,
  drift: [comparedWith({ shifted: [] })],
  ...change,
});
const differs = (certificate: Certificate, change: Partial<PresentMachine> = {}): string =>
  checkCertificate(certificate, present(change))
    .filter(({ says }) => says === 'differs')
    .map(({ about, words }) => `${about}: ${words}`)
    .join('\n');

const certificate = certificateOf({ validDays: 30 });

it('holds where nothing was changed, also where the text of the configuration is laid out otherwise', () => {
  const findings = checkCertificate(certificate, present());
  expect(isVoid(findings)).toBe(false);
  expect(findings.filter(({ says }) => says === 'unchecked').map(({ about }) => about)).toEqual(['evidence']);
});

it('says of each thing that is not at hand that it was not checked', () => {
  const findings = checkCertificate(certificate, { runtime: 'runtime 2', nowMs: certifiedAtMs });
  expect(isVoid(findings)).toBe(false);
  expect(findings.filter(({ says }) => says === 'unchecked').map(({ about }) => about)).toEqual([
    'entry',
    'model',
    'labels',
    'runtime',
    'drift',
    'evidence',
  ]);
});

describe('is void', () => {
  it.each<[string, Partial<PresentMachine>, string]>([
    [
      'a threshold',
      { config: machineOf({ service: { default_minimum_confidence: 0.6 } }) },
      'entry: The configuration differs: the default threshold was 0.5 and is 0.6',
    ],
    [
      'thresholds by label',
      { config: machineOf({ service: { label_confidences: { Person: 0.5 } } }) },
      'labels that are not listed',
    ],
    ['how the model is fed', { config: machineOf({ service: { input_image_bgr: true } }) }, 'finder: bgr was changed'],
    [
      'the file of the ML model service',
      { config: machineOf({ model: { model_path: '/m/b.onnx' } }) },
      'ML model service of finder was changed',
    ],
    ['a step of the camera', { config: machineOf({ crop: { x_max_px: 6 } }) }, 'the steps of camera yard were changed'],
    ['the kind of the source', { config: machineOf({ source: 'acme:camera:usb' }) }, 'of a different kind'],
    ['the service is gone', { config: { ...machineOf(), visionServices: [] } }, 'no vision service finder'],
    ['the camera is gone', { config: { ...machineOf(), cameras: [] } }, 'There is no camera "yard"'],
    ['the model', { modelOf: () => 'b'.repeat(64) }, 'model: The model of finder is not the certified people.onnx'],
    ['the labels', { labels: ['person', 'Dog'] }, 'labels: The labels differ: label 1 was “dog” and is “Dog”.'],
    ['no label file', { labels: null }, 'index numbers now'],
    ['its end', { nowMs: certifiedAtMs + 31 * dayMs }, 'date: It ended on 2026-12-01.'],
    ['a date to come', { nowMs: certifiedAtMs - 2 * dayMs }, 'still to come'],
    [
      'drift',
      { drift: [comparedWith({})] },
      'drift: Later images are no longer like those of Yard: brightness (median 20 % instead of 50 %) (40 images of June, compared on 2026-11-05).',
    ],
  ])('by %s', (_, change, words) => {
    expect(differs(certificate, change)).toContain(words);
    expect(isVoid(checkCertificate(certificate, present(change)))).toBe(true);
  });

  it('by a threshold of a label, which is named', () => {
    const listed = (person: number) => machineOf({ service: { label_confidences: { person, dog: 0.3 } } });
    const entry = { ...certificate.configuration.entry, service: listed(0.5).visionServices[0]! };
    const made = certificateOf({ entry });
    expect(differs(made, { config: listed(0.5) })).toBe('');
    expect(differs(made, { config: listed(0.7) })).toContain('the threshold of person was 0.5 and is 0.7.');
  });

  const [claim] = certificate.claims;
  it.each<[string, Partial<Certificate>]>([
    ['a higher claim', { claims: [{ ...claim!, atLeast: 0.99 }] }],
    ['a better bound', { claims: [{ ...claim!, atLeast: 0.98, bound: 0.985 }] }],
    ['more boxes', { claims: [{ ...claim!, of: 500, right: 498, trials: 212 }] }],
    ['more trials than boxes', { claims: [{ ...claim!, trials: 500 }] }],
    ['more equal units than units', { claims: [{ ...claim!, evenUnits: 500, of: 600 }] }],
    ['more confidence', { confidence: 0.99 }],
    ['no claim', { claims: [] }],
    ['another configuration in it', { configuration: { ...certificate.configuration, sha256: 'd'.repeat(64) } }],
  ])('by %s in the file', (_, change) => {
    expect(differs({ ...certificate, ...change })).toMatch(/^statement: /);
  });

  it.each<[string, Partial<CountedClaim>]>([
    ['more right boxes than boxes', { right: 300 }],
    ['more equal units than boxes', { right: 212, units: 500, evenUnits: 500, trials: 500 }],
  ])('by %s in the file, whose bound follows from them', (_, change) => {
    const forged = { ...claim!, ...change };
    const claims = [{ ...forged, bound: boundOfCounts(forged, certificate.confidence) }];
    const evidence = { ...certificate.evidence, images: 500, units: 500 };
    expect(differs({ ...certificate, evidence })).toBe('');
    expect(differs({ ...certificate, evidence, claims })).toMatch(/^statement: /);
  });

  it('from the end of its validity on, and until a day before it is made, as clocks differ', () => {
    const endMs = certifiedAtMs + 30 * dayMs;
    expect(differs(certificate, { nowMs: endMs })).toBe('');
    expect(differs(certificate, { nowMs: endMs + 1 })).toMatch(/^date: It ended/);
    expect(differs(certificate, { nowMs: certifiedAtMs - dayMs })).toBe('');
    expect(differs(certificate, { nowMs: certifiedAtMs - dayMs - 1 })).toMatch(/^date: It is dated/);
  });
});

describe('drift', () => {
  const said = (drift: readonly ImageDrift[], of: Certificate = certificate) => {
    const { says, words } = checkCertificate(of, present({ drift })).find(({ about }) => about === 'drift')!;
    return `${says}: ${words}`;
  };
  const before = certificateOf({
    evidence: { dataset: 'Yard', images: 212, boxes: 212, modelMade: 0, truthSha256: 'c'.repeat(64), thresholdsFrom: 'other-images' },
  }); // prettier-ignore

  it.each<[string, readonly ImageDrift[], string]>([
    ['nothing was compared', [], 'unchecked: Whether later images are still like'],
    ['the reference has other images', [comparedWith({ imagesSha256: 'e'.repeat(64) })], 'unchecked: The reference has other images than Yard'],
    ['the later images are from another camera', [comparedWith({ isSameCamera: false })], 'unchecked: The later images are from another camera than those of Yard'],
    ['the reference does not tell its images', [comparedWith({ imagesSha256: null })], 'unchecked: The comparison is not one of later images with a reference'],
    ['there are too few', [comparedWith({ canTell: false, shifted: [] })], 'unchecked: A shift cannot be told from chance (there are too few, or'],
    ['what shifted cannot be told', [comparedWith({ canTell: false })], 'unchecked: A shift cannot be told'],
    ['a newer one is weaker', [comparedWith({}), comparedWith({ comparedAt: '2026-11-06T08:00:00Z', shifted: [], canTell: false })], 'differs: '],
    ['the camera is not recorded', [comparedWith({ isSameCamera: null, shifted: [] })], 'holds: No shift from the images of Yard was found: 40 images of June, compared on 2026-11-05; nothing records that they are from the same camera.'],
    ['the newest is without shifts', [comparedWith({}), comparedWith({ comparedAt: '2026-11-06T08:00:00Z', shifted: [] })], 'holds: No shift'],
    ['a newer one is of other images', [comparedWith({}), comparedWith({ comparedAt: '2026-11-06T08:00:00Z', imagesSha256: 'e'.repeat(64), shifted: [] })], 'differs: '],
  ])('%s', (_, drift, words) => {
    expect(said(drift)).toContain(words);
  }); // prettier-ignore

  it.each<[string, Partial<ImageDrift>, boolean]>([
    ['can tell as much', {}, true],
    ['can tell, and nothing records when its images were made', { laterUntil: null }, true],
    ['is made at a level less strict, without another feature', { level: 0.1, untested: ['score'] }, true],
    ['has too few images', { canTell: false }, false],
    ['is made at a stricter level', { level: 0.01 }, false],
    ['did not test what had shifted', { untested: ['brightness'] }, false],
    ['is of older images', { laterUntil: '2026-11-03T08:00:00Z' }, false],
  ])('a shift is taken back by a comparison that %s: %j is %s', (_, change, taken) => {
    const newer = comparedWith({ comparedAt: '2026-11-06T08:00:00Z', shifted: [], shiftedFeatures: [], ...change });
    expect(replaces(newer, comparedWith({}))).toBe(taken);
    expect(said([newer, comparedWith({})]).startsWith('differs')).toBe(!taken);
    expect(replaces(newer, comparedWith({ shifted: [], shiftedFeatures: [] }))).toBe(true);
  });

  it('reads a comparison of an earlier version', () => {
    const { laterUntil, level, untested, shiftedFeatures, ...earlier } = comparedWith({});
    expect([laterUntil, level, untested, shiftedFeatures]).not.toContain(undefined);
    expect(readImageDrift(earlier)).toEqual({ ...earlier, laterUntil: null, level: 0.05, untested: [], shiftedFeatures: [] });
  }); // prettier-ignore

  it('says nothing of a certificate that does not tell its images', () => {
    expect(said([comparedWith({})], before)).toContain('unchecked: The certificate was made before');
  });

  it('reads a comparison, and names what it lacks', () => {
    const whole = { ...comparedWith({}), more: 1 };
    expect(readImageDrift(whole)).toEqual(comparedWith({}));
    for (const name of Object.keys(comparedWith({})))
      expect(() => readImageDrift({ ...whole, [name]: {} })).toThrow(`its "${name}"`);
  });

  it('tells images of equal names by their sizes, and not by their folders', () => {
    const images = [
      { name: 'a.jpg', sizeBytes: 1 },
      { name: 'b.jpg', sizeBytes: 2 },
    ];
    const hash = imagesSha256(images);
    expect(imagesSha256(images.toReversed())).toBe(hash);
    expect(imagesSha256(images.map((one) => ({ ...one, sizeBytes: 3 - one.sizeBytes })))).not.toBe(hash);
    expect(imagesSha256(images.slice(1))).not.toBe(hash);
    const inFolders = ['C:\\yard\\a.jpg', 'yard/b.jpg'].map((name, at) => ({ ...images[at]!, name }));
    expect(imagesSha256(inFolders)).toBe(hash);
  });
});

describe('counted again', () => {
  const wasm = 'ONNX Runtime 1, WASM';
  const native = 'ONNX Runtime 1, native';
  const again = (
    found: number,
    images: number,
    truthSha256: string,
    inference: string = wasm,
  ): Partial<PresentMachine> => ({
    again: { truthSha256, inference, counts: [countClaim(certificate.claims[0]!, boxesFound(found, images), 0.9)] },
  });
  const { truthSha256 } = certificate.evidence;
  const said = (change: Partial<PresentMachine>, of: Certificate = certificate) =>
    checkCertificate(of, present(change)).find(({ about }) => about === 'evidence');

  it('holds where the same images give the same, and is void where they do not', () => {
    expect(said(again(210, 212, truthSha256))).toMatchObject({ says: 'holds' });
    expect(said(again(209, 212, truthSha256))).toMatchObject({ says: 'differs' });
    expect(said({ again: { truthSha256, inference: wasm, counts: [null] } })).toMatchObject({ says: 'differs' });
    const { counted, atMost } = countClaim(certificate.claims[0]!, boxesFound(210, 212), 0.9)!;
    const counts = [{ counted: { ...counted, trials: counted.trials - 1 }, atMost }];
    expect(said({ again: { truthSha256, inference: wasm, counts } })).toMatchObject({ says: 'differs' });
  });

  it('leaves open what two runtimes may round apart, and is void where that explains nothing', () => {
    const madeNatively: Certificate = { ...certificate, inference: native };
    expect(said(again(209, 212, truthSha256, native), madeNatively)).toMatchObject({ says: 'differs' });
    expect(said(again(210, 212, truthSha256), madeNatively)).toMatchObject({
      says: 'holds',
      words: expect.stringContaining('run on ONNX Runtime 1, WASM and then on ONNX Runtime 1, native,'),
    });
    expect(said(again(209, 212, truthSha256), madeNatively)).toMatchObject({
      says: 'unchecked',
      words: expect.stringMatching(/give 209 of 212 .*and gave 210 of 212 .*round apart/),
    });
    expect(said(again(80, 212, truthSha256), madeNatively)).toMatchObject({ says: 'differs' });
  });

  it('takes a certificate that does not tell its runtime for one of WASM', () => {
    expect(said(again(209, 212, truthSha256, wasm))).toMatchObject({ says: 'differs' });
    expect(said(again(209, 212, truthSha256, native))).toMatchObject({ says: 'unchecked' });
  });

  it('tells what other images say', () => {
    expect(said(again(300, 300, 'e'.repeat(64)))).toMatchObject({ says: 'holds' });
    expect(said(again(20, 20, 'e'.repeat(64)))).toMatchObject({ says: 'unchecked' });
    expect(said(again(80, 100, 'e'.repeat(64)))).toMatchObject({ says: 'differs' });
  });
});
