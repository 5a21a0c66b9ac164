import { describe, expect, it } from 'vitest';
import { deferred } from '../../../../tests/deferred.ts';
import { boxesFound, certifiedAtMs, machineOf } from '../../../../tests/certified.ts';
import { TruthSetBuilder, DetectionSetBuilder } from '../../../evidence/evaluation/build-sets.ts';
import type { EvaluatedBoxes } from '../../../evidence/certificate/count-claim.ts';
import { statementText } from '../../../evidence/certificate/words.ts';
import { imagesSha256 } from '../../../evidence/certificate/images-sha256.ts';
import type { SigningKey } from '../../../evidence/certificate/sign-certificate.ts';
import type { ImageDrift } from '../../../evidence/certificate/image-drift.ts';
import type { PresentSetup } from '../../../machine/config/evidence/threshold-evidence.ts';
import { KeptCertificates } from '../../certificates/kept-certificates.svelte.ts';
import { KeptDrift } from '../../certificates/kept-drift.svelte.ts';
import { validStatements, whyUnchecked, whyVoid } from '../../certificates/why-void.ts';
import { Certifying } from './certifying.svelte.ts';

type Given = ConstructorParameters<typeof Certifying>;

function lab(
  change: {
    evaluation?: Partial<Given[0]>;
    chosen?: readonly string[];
    openKey?: Given[2]['openKey'];
    memory?: Given[2]['memory'];
    boxes?: EvaluatedBoxes;
  } = {},
) {
  const stored = new Map<string, string>();
  const memory = change.memory ?? {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  };
  const present: PresentSetup = {
    config: machineOf(),
    visionName: 'finder',
    steps: [],
    labels: ['person'],
    sha256: 'a'.repeat(64),
  };
  const model = {
    serviceName: 'finder',
    cameraName: 'yard',
    backend: 'WASM',
    models: [{ service: 'finder', name: 'people.onnx', sha256: 'a'.repeat(64) }],
  } as unknown as NonNullable<Given[0]['run']['model']>;
  const evaluation: Given[0] = {
    datasetName: 'Yard',
    modelMade: null,
    modelMadeCount: 0,
    staleness: '',
    dependence: { doubt: '', found: { basis: 'pictures', alikeCount: 0, groupOf: new Map() } },
    run: { failed: [], model, pairs: [], state: { kind: 'done' } },
    ...change.evaluation,
  };
  const { sweeps, labels, units, thresholds } = change.boxes ?? boxesFound(210, 212);
  const images = Array.from({ length: 212 }, (_, at) => ({ image: { name: `${at}.jpg`, sizeBytes: at } }));
  const view: Given[1] = {
    chosenOn: () => change.chosen ?? [],
    label: null,
    labels,
    present,
    sweeps,
    thresholds: Float64Array.from(thresholds),
    units,
    measured: {
      boxes: {
        space: { imageCount: 212, labels },
        truth: new TruthSetBuilder().build(),
        detections: new DetectionSetBuilder().build(),
        isOfModel: [true],
        cutAwayCount: 0,
      },
      images: images as unknown as Given[1]['measured']['images'],
    },
  };
  const ports = { memory, openKey: change.openKey ?? null, version: '1.2.3', nowMs: () => certifiedAtMs };
  return {
    certifying: new Certifying(evaluation, view, ports),
    kept: new KeptCertificates(memory),
    drift: new KeptDrift(memory),
    present,
  };
}

/** All boxes of two labels are found. */
function twoLabels(): EvaluatedBoxes {
  const [one, other] = [boxesFound(212, 212), boxesFound(212, 212)];
  const sweeps = [...one.sweeps, ...other.sweeps.map((sweep) => ({ ...sweep, label: 1 }))];
  return { ...one, sweeps, labels: ['person', 'dog'], thresholds: [0.5, 0.5] };
}

const now = (present: PresentSetup, drift: readonly ImageDrift[] = []) => ({ present, drift, nowMs: certifiedAtMs });

const refusedOf = ({ certifying }: ReturnType<typeof lab>): string => certifying.made.refused?.join(' ') ?? '';

describe('what is certified', () => {
  it('is refused while it is not known which images are independent, and states that somebody said it', async () => {
    const unknown = { doubt: 'It is not known which images are independent.', found: null };
    expect(lab({ evaluation: { dependence: unknown } }).certifying.made.refused).toEqual([unknown.doubt]);
    const stated = { doubt: '', found: { basis: 'stated', alikeCount: 0, groupOf: new Map() } } as const;
    const made = (await lab({ evaluation: { dependence: stated } }).certifying.make())!;
    expect(made.evidence.unitsFrom).toBe('stated');
    expect(statementText(made)[0]).toContain('somebody said that each image shows another scene or time');
  });

  it('is kept in this browser, and void as soon as the bench has something else', async () => {
    const { certifying, kept, present } = lab();
    const made = (await certifying.make())!;
    expect(made).toMatchObject({
      claims: [{ figure: 'recall', label: null, right: 210, of: 212 }],
      configuration: { entry: { camera: 'yard' } },
      madeBy: 'Sightglass 1.2.3',
      ranOn: 'WASM, browser',
      validUntil: null,
    });
    expect(kept.of('finder')).toEqual([made]);
    expect(kept.of('other')).toEqual([]);
    expect(whyVoid(made, now(present))).toEqual([]);
    expect(validStatements(kept, now(present))).toHaveLength(1);
    const tuned = { ...present, config: machineOf({ service: { default_minimum_confidence: 0.6 } }) };
    expect(whyVoid(made, now(tuned))).toEqual(['The configuration differs: the default threshold was 0.5 and is 0.6.']);
    expect(validStatements(kept, now(tuned))).toEqual([]);
    expect(whyVoid(made, now({ ...present, sha256: 'b'.repeat(64) }))[0]).toContain('other bytes');
    expect(whyVoid(made, now({ ...present, labels: null }))[0]).toContain('The labels differ');
    // Without a model, not even the labels may be known.
    const unloaded = { ...present, sha256: null, labels: null };
    expect(whyVoid(made, now(unloaded))).toEqual([]);
    expect(whyUnchecked(made, now(unloaded))).toEqual([
      'The model of finder was not checked.',
      'The label file was not checked.',
    ]);
    expect(whyUnchecked(made, now(present))).toEqual([]);
    expect(validStatements(kept, now(unloaded))).toEqual([]);
    kept.remove(kept.list[0]!);
    expect(kept.list).toEqual([]);
  });

  it('is void once later images of its camera differ, and again valid once they do not', async () => {
    const { certifying, kept, drift, present } = lab();
    const made = (await certifying.make())!;
    const images = Array.from({ length: 212 }, (_, at) => ({ name: `yard/${at}.jpg`, sizeBytes: at }));
    const compared: ImageDrift = {
      imagesSha256: imagesSha256(images),
      comparedAt: '2026-11-05T08:00:00Z',
      later: 'June',
      laterCount: 40,
      isSameCamera: true,
      laterUntil: null,
      canTell: true,
      level: 0.05,
      untested: ['score'],
      shifted: ['brightness'],
      shiftedFeatures: ['brightness'],
    };
    drift.add({ ...compared, imagesSha256: 'e'.repeat(64) });
    expect(whyVoid(made, now(present, drift.list))).toEqual([]);
    drift.add(compared);
    expect(whyVoid(made, now(present, drift.list))).toEqual([
      'Later images are no longer like those of Yard: brightness (40 images of June, compared on 2026-11-05).',
    ]);
    expect(validStatements(kept, now(present, drift.list))).toEqual([]);
    // Neither a weaker comparison nor many of other images take it back.
    drift.add({ ...compared, comparedAt: '2026-11-06T08:00:00Z', shifted: [], level: 0.01 });
    for (let at = 0; at < 20; at++) drift.add({ ...compared, imagesSha256: String(at).padStart(64, '0') });
    expect([drift.list.length, whyVoid(made, now(present, drift.list)).length]).toEqual([14, 1]);
    drift.add({ ...compared, comparedAt: '2026-11-07T08:00:00Z', shifted: [], shiftedFeatures: [] });
    expect(whyVoid(made, now(present, drift.list))).toEqual([]);
  });

  it('holds several claims, each of which must be carried', async () => {
    const given = lab({ boxes: twoLabels() });
    const { certifying } = given;
    certifying.set({ label: 'person' });
    certifying.keepClaim();
    expect([certifying.isKept, certifying.made.certificate?.claims.length]).toEqual([true, 1]);
    certifying.set({ label: 'dog' });
    expect((await certifying.make())!.claims).toMatchObject([{ label: 'person' }, { label: 'dog' }]);
    certifying.set({ atLeast: 0.999 });
    expect(refusedOf(given)).toContain('recall of dog ≥ 0.999 is not carried');
    certifying.dropClaim(certifying.others[0]!);
    certifying.set({ atLeast: 0.95 });
    expect(certifying.made.certificate?.claims).toMatchObject([{ label: 'dog' }]);
  });

  it('is signed by the key of the browser', async () => {
    const openKey = async () => ({ publicKey: Uint8Array.of(4, 5), sign: async () => Uint8Array.of(6) });
    const { certifying } = lab({ openKey });
    certifying.set({ isSigned: true, validDays: 10 });
    expect(await certifying.make()).toMatchObject({ signature: { publicKey: '0405', value: '06' } });
  });

  it('is made once, however often it is asked for while the key is opened', async () => {
    const opening = deferred<SigningKey>();
    const { certifying, kept } = lab({ openKey: () => opening.promise });
    certifying.set({ isSigned: true });
    const both = [certifying.make(), certifying.make()];
    expect(certifying.isBusy).toBe(true);
    opening.resolve({ publicKey: Uint8Array.of(4), sign: async () => Uint8Array.of(6) });
    expect((await Promise.all(both)).map((made) => made !== null)).toEqual([true, false]);
    expect([kept.list.length, certifying.isBusy]).toEqual([1, false]);
  });

  it.each([
    ['count', 3],
    ['without-boxes', 0],
  ] as const)('says how many boxes of its truth a model made, of those that count: %s', (modelMade, count) => {
    const { certifying } = lab({ evaluation: { modelMade, modelMadeCount: 3 } });
    expect(certifying.made.certificate?.evidence.modelMade).toBe(count);
  });

  it('stays beside what another tab keeps, and is not said to be kept where the storage is full', async () => {
    const stored = new Map<string, string>();
    let isFull = false;
    const memory = {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => {
        if (isFull) throw new Error('The quota has been exceeded.');
        stored.set(key, value);
      },
    };
    const { certifying, kept } = lab({ memory });
    expect(kept.list).toEqual([]); // read before the other tab writes
    const other = { ...(await lab().certifying.make())!, madeBy: 'another tab' };
    stored.set('sightglass:certificates', JSON.stringify([other]));
    await certifying.make();
    expect([certifying.isStored, ...kept.list.map(({ madeBy }) => madeBy)]).toEqual([true, 'Sightglass 1.2.3', 'another tab']); // prettier-ignore
    stored.set('sightglass:certificates', JSON.stringify([...kept.list, { ...other, madeBy: 'a third one' }]));
    kept.remove(other);
    expect(kept.list.map(({ madeBy }) => madeBy)).toEqual(['Sightglass 1.2.3', 'a third one']);
    isFull = true;
    expect(await certifying.make()).not.toBeNull();
    expect([certifying.isStored, kept.list.length]).toEqual([false, 2]);
  });

  it('says why it cannot be signed', async () => {
    const { certifying, kept } = lab({ openKey: () => Promise.reject(new Error('This browser stores nothing.')) });
    certifying.set({ isSigned: true });
    expect(await certifying.make()).toBeNull();
    expect(certifying.failure?.message).toBe('This browser stores nothing.');
    expect(kept.list).toEqual([]);
  });
});

describe('is refused', () => {
  const { run } = { run: { failed: [], model: null, pairs: [], state: { kind: 'done' } as const } };
  it.each<[string, Parameters<typeof lab>[0], string]>([
    ['before the end of the run', { evaluation: { run } }, 'has not finished'],
    ['for another model than was run', { evaluation: { staleness: 'model' } }, 'Run the evaluation again'],
  ])('%s', (_, change, words) => {
    expect(refusedOf(lab(change))).toContain(words);
  });

  it('as precision, unless somebody says that the images had no part in the thresholds', () => {
    const given = lab();
    given.certifying.set({ figure: 'precision', atLeast: 0.9 });
    expect(refusedOf(given)).toContain('nobody said');
    given.certifying.set({ isSetElsewhere: true });
    expect(refusedOf(given)).toBe('');
  });

  it('as recall of all labels together, unless the other thresholds are said to be set elsewhere', () => {
    const given = lab({ chosen: ['person'], boxes: twoLabels() });
    expect(given.certifying.hasOthers).toBe(true);
    const { sweeps, ...others } = twoLabels();
    const ofModelAlone = sweeps.map((sweep) => (sweep.label === 1 ? { ...sweep, truthCount: 0 } : sweep));
    expect(lab({ chosen: ['person'], boxes: { ...others, sweeps: ofModelAlone } }).certifying.hasOthers).toBe(true);
    expect(refusedOf(given)).toContain('several thresholds were chosen');
    given.certifying.set({ isSetElsewhere: true });
    expect(refusedOf(given)).toBe('');
  });

  it('as precision where a threshold was chosen on these very images, whatever somebody says', () => {
    const given = lab({ chosen: ['person'] });
    given.certifying.set({ figure: 'precision', atLeast: 0.9, isSetElsewhere: true });
    expect(refusedOf(given)).toContain('evaluate on other images');
    given.certifying.set({ figure: 'recall' });
    expect(given.certifying.made.certificate?.evidence.thresholdsFrom).toBe('these-images');
  });
});
