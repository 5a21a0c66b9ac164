import { describe, expect, it, vi } from 'vitest';
import { noFeeding } from '../../../../tests/no-feeding.ts';
import { scansOf } from '../../../../tests/scanned-hashes.ts';
import { deferred } from '../../../../tests/deferred.ts';
import { fixedThresholds } from '../../../../tests/fixed-thresholds.ts';
import type { RawImage } from '../../../platform/ports/raw-image.ts';
import type { RunRecord } from '../../../platform/ports/result-store.ts';
import { createEvaluationApi } from '../../../../workers/evaluation/api.ts';
import type { LabelPair } from '../../../evidence/datasets/label-schemes/label-scheme.ts';
import { Evaluation, type EvaluationPorts } from './evaluation.svelte.ts';
import type { TruthDataset, TruthImage } from '../ports/truth-source.ts';
import { metricsAt } from '../../../evidence/evaluation/sweep/metrics-at.ts';
import { sweepLabels } from '../../../evidence/evaluation/sweep/label-sweep.ts';
import { ResultsView } from '../measure/results-view.svelte.ts';
import type { TunedThresholds } from '../goal/tuned-thresholds.ts';

const truthBox = (label: string, x: number) => ({
  label,
  isModelMade: false,
  xMinNormalized: x,
  yMinNormalized: 0,
  xMaxNormalized: x + 0.1,
  yMaxNormalized: 0.1,
});

/** A cat at 0 and one at 0.5; of the first the model is sure, the second it calls a dog. */
const images: TruthImage[] = [
  { id: 'a', name: 'a.jpg', sizeBytes: 1, boxes: [truthBox('cat', 0), truthBox('cat', 0.5)], labels: [], sequence: '' },
];

const raw: RawImage = {
  widthPx: 100,
  heightPx: 100,
  labels: ['cat', 'dog'],
  labelIndex: Uint32Array.of(0, 1, 0),
  score: Float64Array.of(0.9, 0.7, 0.3),
  box: Float64Array.of(0, 0, 10, 10, 50, 0, 10, 10, 80, 80, 10, 10),
  seen: null,
  classes: null,
};

function memory() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
}

function lab(store = memory(), truth = images) {
  const ran: string[] = [];
  const fed: (readonly (readonly [string, number])[])[] = [];
  const kept = new Map<string, RawImage>();
  const notes: RunRecord[] = [];
  const bench = { isInForce: true, isFull: false };
  const pairs = new Map<string, readonly LabelPair[]>();
  const sets: TruthDataset[] = [
    { id: 's', name: 'Pets' },
    { id: 'empty', name: 'Nothing' },
  ];
  const ports: EvaluationPorts = {
    openTruth: async () => ({
      sets: async () => [...sets],
      images: async (id) => (id !== 'empty' && sets.some((set) => set.id === id) ? [...truth] : []),
      bytes: async (_, ids) => new Map(ids.map((id) => [id, new Uint8Array(1)])),
      pairs: async (id) => pairs.get(id) ?? [],
      keepPairs: async (id, some) => void pairs.set(id, some),
      editorHref: (set, image) => `#/${set}/${image}`,
    }),
    prepare: async () => ({
      key: 'model',
      serviceName: 'finder',
      modelName: 'a.onnx',
      sha256: 'abc',
      cameraName: null,
      models: [],
      backend: 'WASM',
      configText: '{ "env": { "API_KEY": "do-not-tell" } }',
      get isInForce() {
        return bench.isInForce;
      },
      onBench: { serviceName: 'finder', modelName: 'a.onnx' },
      setup: 'as it was',
      rename: (kept) => kept,
      run: async (_, name) => {
        ran.push(name);
        return raw;
      },
    }),
    store: {
      find: async (_, ids) => new Map(ids.flatMap((id) => (kept.has(id) ? [[id, kept.get(id)!]] : []))),
      put: async (_, id, result) => Boolean(kept.set(id, result)),
      records: async () => notes,
      note: async (record) => Boolean(notes.push(record)),
    },
    engine: createEvaluationApi(),
    thumbnails: async () => ({ draw: (all) => all.map(async ({ id }) => `data:image/webp,${id}`) }),
    memory: store,
    sharedMemory: store,
    version: '1.2.3',
    now: () => 0,
    openKey: null,
    openScans: scansOf({ a: 1n }),
    samples: async () => ({
      async add() {
        if (bench.isFull) throw new Error('The browser has no room.');
        sets.push({ id: 'faces', name: 'Sample photographs', isSample: true });
        return 'faces';
      },
      async remove() {
        sets.splice(
          sets.findIndex(({ id }) => id === 'faces'),
          1,
        );
      },
    }),
    feeding: {
      ...noFeeding,
      measure: async ({ pictures }) => {
        fed.push(pictures.map(({ id, boxes }) => [id, boxes.filter(({ isIgnored }) => !isIgnored).length]));
        throw new Error('Nothing is measured here.');
      },
    },
  };
  return { ports, ran, fed, store, notes, bench, sets, pairs };
}

async function measured(given = lab()) {
  const evaluation = new Evaluation(given.ports);
  await evaluation.refresh();
  await evaluation.start();
  await evaluation.count();
  return { evaluation, ...given };
}

function tunedAt(values: Record<string, number>) {
  const written: Record<string, number>[] = [];
  const fates: unknown[] = [];
  const tuned: TunedThresholds = {
    ...fixedThresholds(0),
    perLabel: true,
    thresholdOf: (label) => values[label] ?? Infinity,
    setLabel: (label, value) => void written.push({ [label]: value }),
    setEach(all, others, evidence) {
      written.push({ ...all });
      fates.push([others, evidence]);
    },
  };
  return { tuned, written, fates };
}

it('counts at the thresholds of the bench, tells errors box by box, and lists those of a cell', async () => {
  const { evaluation } = await measured();
  const viewAt = async (thresholds: Record<string, number>) => {
    const view = new ResultsView(
      () => evaluation.measured!,
      tunedAt(thresholds).tuned,
      (of, at) => evaluation.tellErrors(of, at),
    );
    await view.updateErrors();
    return view;
  };
  const view = await viewAt({ cat: 0.5, dog: 0.5 });
  expect(view.now.total).toMatchObject({ truePositives: 1, falsePositives: 1, missed: 1 });
  expect(view.listed.map(({ kind }) => kind)).toEqual(['class']);
  view.filter = { kind: 'all', label: null, pair: { truth: 'cat', result: 'dog' } };
  expect(view.listed).toMatchObject([{ kind: 'class', detectionRow: 1, truthRow: 1 }]);
  view.filter = { kind: 'missed', label: null, pair: null };
  expect(view.listed).toEqual([]);
  const all = await viewAt({ cat: 0.2, dog: Infinity });
  expect(all.now.total).toMatchObject({ truePositives: 1, falsePositives: 1, missed: 1 });
  expect(all.listed.map(({ kind }) => kind)).toEqual(['background', 'missed']);
});

it('lists errors with the labels that they were told apart by, while more images bring other labels', async () => {
  const { evaluation } = await measured();
  let now = evaluation.measured!;
  const asked: [labels: number, thresholds: number][] = [];
  const view = new ResultsView(
    () => now,
    tunedAt({ cat: 0.5, dog: 0.5 }).tuned,
    (of, at) => {
      asked.push([of.boxes.space.labels.length, at.length]);
      return evaluation.tellErrors(of, at);
    },
  );
  await view.updateErrors();
  view.filter = { kind: 'all', label: 'dog', pair: null };
  expect(view.listed).toHaveLength(1);
  const space = { imageCount: 1, labels: ['bird', 'cat', 'dog'] };
  now = { ...now, boxes: { ...now.boxes, space } };
  expect(view.listed).toHaveLength(1);
  view.filter = { kind: 'all', label: null, pair: { truth: 'cat', result: 'dog' } };
  expect(view.listed).toHaveLength(1);
  await view.updateErrors();
  expect(asked).toEqual([
    [2, 2],
    [3, 3],
  ]);
});

it('says where the model and the truth have no label in common, and which truth it cannot find', async () => {
  const viewOf = async (boxes: TruthImage['boxes']) => {
    const { evaluation } = await measured(lab(memory(), [{ ...images[0]!, boxes }]));
    return new ResultsView(
      () => evaluation.measured!,
      tunedAt({}).tuned,
      async () => null,
    );
  };
  const strangeLabels = async (boxes: TruthImage['boxes']) => (await viewOf(boxes)).strangeLabels;
  expect(await strangeLabels([truthBox('person', 0)])).toEqual({ ofModel: ['cat', 'dog'], ofTruth: ['person'] });
  expect(await strangeLabels([truthBox('person', 0), truthBox('cat', 0)])).toBeNull();
  expect(await strangeLabels([])).toBeNull();
  const some = await viewOf([truthBox('person', 0), truthBox('cat', 0)]);
  expect(some.unknownTruth).toEqual({ boxes: 1, of: 2, labels: ['person'] });
  expect((await viewOf([truthBox('cat', 0)])).unknownTruth).toBeNull();
});

it('remembers a set that was chosen or run, not the one that was first in the list', async () => {
  const { ports, store } = lab();
  const twoSets = ports.openTruth;
  const openTruth = async () => ({ ...(await twoSets()), sets: async () => [{ id: 'empty', name: 'Nothing' }] });
  const early = new Evaluation({ ...ports, openTruth });
  await early.refresh();
  expect(early.setId).toBe('empty');
  const next = new Evaluation(ports);
  await next.refresh();
  expect(next.setId).toBe('s');
  next.choose('empty');
  const last = new Evaluation({ ...ports, memory: store });
  await last.refresh();
  expect(last.setId).toBe('empty');
});

it('moves one label alone, and chooses for every label with truth that the model knows', async () => {
  const { evaluation } = await measured();
  const { tuned, written, fates } = tunedAt({ cat: 0.5, dog: 0.5 });
  const view = new ResultsView(
    () => evaluation.measured!,
    tuned,
    async () => null,
  );
  expect([view.threshold, view.choice]).toEqual([null, null]);
  expect(view.otherCount).toBe(1);
  view.write(view.chooseAll(), 'drop', evaluation.evidenceSource(7));
  expect(fates).toEqual([
    [
      'drop',
      {
        dataset: 'Pets',
        images: 1,
        goal: 'best F1',
        atMs: 7,
        model: { name: 'a.onnx', sha256: 'abc' },
        setup: 'as it was',
        version: '1.2.3',
        labels: [{ label: 'cat', threshold: written[0]!['cat'], figure: 'F1', expected: expect.anything() as unknown }],
      },
    ],
  ]);
  expect(Object.keys(written[0]!)).toEqual(['cat']);
  expect(written[0]!['cat']).toBeGreaterThan(0.3);
  view.show('cat');
  view.move(0.25);
  expect([view.threshold, written[1]]).toEqual([0.5, { cat: 0.25 }]);
});

it('asks what boxes count as that a model made, and counts nothing before', async () => {
  const [first] = images;
  const [cat, other] = first!.boxes;
  const truth = [{ ...first!, boxes: [cat!, { ...other!, isModelMade: true }] }];
  const given = await measured(lab(memory(), truth));
  const { evaluation } = given;
  expect([evaluation.mustAsk, evaluation.modelMadeCount, evaluation.measured]).toEqual([true, 1, null]);
  const missedAs = async (choice: 'count' | 'without-boxes' | 'without-images') => {
    evaluation.takeModelMade(choice);
    await evaluation.count();
    const { measured: counted } = evaluation;
    const view = new ResultsView(() => counted!, tunedAt({ cat: 0.5, dog: 0.5 }).tuned, async () => null); // prettier-ignore
    return counted && view.now.total;
  };
  // What is called a dog lies on the box that a model made.
  expect(await missedAs('count')).toMatchObject({ truePositives: 1, falsePositives: 1, missed: 1 });
  expect(await missedAs('without-boxes')).toMatchObject({ truePositives: 1, missed: 0 });
  expect((await missedAs('without-images'))?.truePositives ?? 0).toBe(0);
  expect(given.ran).toEqual(['a.jpg']);
  const html = await (
    await evaluation.report(evaluation.measured!, Float64Array.of(), { goal: { kind: 'best-f1' }, format: 'html' })
  ).text();
  expect(html).toContain('leave their images out');

  const again = new Evaluation(given.ports);
  expect([again.modelMade, again.mustAsk]).toEqual(['without-images', false]);
  again.choose('other');
  expect(again.modelMade).toBeNull();
});

it('shows no figures that were counted for another choice or other truth', async () => {
  const [first] = images;
  const [cat, other] = first!.boxes;
  const truth = [{ ...first!, boxes: [cat!, { ...other!, isModelMade: true }] }];
  const given = lab(memory(), truth);
  const { engine } = given.ports;
  const open: (() => void)[] = [];
  const held = { ...engine, count: async (serial: number) => (await new Promise<void>((go) => open.push(go)), engine.count(serial)) }; // prettier-ignore
  const evaluation = new Evaluation({ ...given.ports, engine: held });
  await evaluation.refresh();
  await evaluation.start();
  const isAsked = (count: number) => vi.waitFor(() => expect(open).toHaveLength(count));

  evaluation.takeModelMade('count');
  await isAsked(1);
  evaluation.takeModelMade('without-boxes');
  open[0]!();
  await isAsked(2);
  expect(evaluation.measured).toBe(null);

  truth[0] = { ...first!, boxes: [other!] };
  await evaluation.refresh();
  open[1]!();
  const counted = evaluation.count();
  await isAsked(3);
  expect(evaluation.measured).toBe(null);
  open[2]!();
  await counted;
  expect(evaluation.measured!.images[0]!.image.boxes).toEqual([other]);
});

it('keeps what was said of the boxes of a set while another one is chosen, and asks of that one anew', async () => {
  const [first] = images;
  const truth = [{ ...first!, boxes: [{ ...first!.boxes[0]!, isModelMade: true }] }];
  const { evaluation, ports } = await measured(lab(memory(), truth));
  evaluation.takeModelMade('count');
  evaluation.choose('empty');
  expect([evaluation.mustAsk, evaluation.modelMade]).toEqual([false, 'count']);
  expect(new Evaluation(ports).modelMade).toBeNull();
  evaluation.choose('s');
  expect(new Evaluation(ports).modelMade).toBe('count');
});

it('says that its figures are of another set or model than what is chosen now', async () => {
  const given = await measured();
  const { evaluation, bench } = given;
  expect(evaluation.staleness).toBe('');
  evaluation.choose('empty');
  expect([evaluation.staleness, evaluation.datasetName]).toEqual(['set', 'Pets']);
  evaluation.choose('s');
  expect(evaluation.isOfBench).toBe(true);
  bench.isInForce = false;
  expect([evaluation.staleness, evaluation.isOfBench]).toEqual(['model', false]);
});

it('draws the errors that are listed into the report, where that is wished', async () => {
  const { evaluation } = await measured();
  const view = new ResultsView(
    () => evaluation.measured!,
    tunedAt({ cat: 0.2, dog: 0.5 }).tuned,
    (of, at) => evaluation.tellErrors(of, at),
  );
  await view.updateErrors();
  const html = async (count: number): Promise<string> => {
    const order = { goal: { kind: 'best-f1' }, format: 'html', pictured: view.drawnErrors(count) } as const;
    return (await evaluation.report(evaluation.measured!, view.thresholds, order)).text();
  };
  expect(await html(0)).not.toContain('data:image');
  const [whole, one] = [await html(12), await html(1)];
  expect(whole.match(/data:image\/webp,a"/g)).toHaveLength(2);
  expect(whole).toContain('<b>Wrong label</b> dog 0.70 · truth: cat<br>a.jpg');
  expect(whole).toContain('<b>Nothing there</b> cat 0.30<br>a.jpg');
  expect(one.match(/data:image/g)).toHaveLength(1);
  expect(one).toContain('<rect x="50" y="0" width="10" height="10"');
});

it('goes on by itself after a reload, without running what is kept', async () => {
  const first = await measured();
  expect(first.ran).toEqual(['a.jpg']);
  const again = new Evaluation(first.ports);
  await again.refresh();
  await expect.poll(() => again.run.state.kind).toBe('done');
  await again.count();
  expect([first.ran, again.measured!.images.length]).toEqual([['a.jpg'], 1]);
  again.cancel();
  first.evaluation.choose('other');
  const other = new Evaluation(first.ports);
  expect(other.setId).toBe('other');
  await other.refresh();
  expect([other.setId, other.run.state.kind]).toEqual(['s', 'idle']);
});

it('makes a report without the secrets of the configuration', async () => {
  const { evaluation } = await measured();
  const order = { goal: { kind: 'best-f1' }, format: 'html' } as const;
  const html = await (await evaluation.report(evaluation.measured!, Float64Array.of(0.5, 0.5), order)).text();
  for (const said of ['Evaluation of finder', 'Pets', 'SHA-256 abc', '1.2.3', 'API_KEY']) expect(html).toContain(said);
  expect(html).not.toContain('do-not-tell');
});

it('counts again when the worker that counted has died', async () => {
  const given = lab();
  const { engine } = given.ports;
  const { evaluation } = await measured(given);
  const before = evaluation.measured!;
  Object.assign(engine, createEvaluationApi());
  const thresholds = Float64Array.of(0.5, 0.5);
  expect(await evaluation.tellErrors(before, thresholds)).toBeNull();
  await expect.poll(() => evaluation.measured).not.toBe(before);
  const after = evaluation.measured!;
  expect((await evaluation.tellErrors(after, thresholds))!.errors.errors).toHaveLength(1);
  expect(await evaluation.tellErrors(before, thresholds)).toBeNull(); // that count was replaced
  await new Promise((resolve) => setTimeout(resolve));
  expect(evaluation.measured).toBe(after);
  Object.assign(engine, createEvaluationApi());
  const order = { goal: { kind: 'best-f1' }, format: 'csv' } as const;
  expect(await (await evaluation.report(evaluation.measured!, thresholds, order)).text()).toContain('cat');
});

it('counts seldom while images are run, and at once when the run rests', async () => {
  let nowMs = 0;
  const given = lab(
    memory(),
    Array.from({ length: 40 }, (_, at) => ({ ...images[0]!, id: `${at}`, name: `${at}.jpg` })),
  );
  const engine = createEvaluationApi();
  let counts = 0;
  let goOn!: () => void;
  const middle = new Promise<void>((resolve) => (goOn = resolve));
  const { prepare } = given.ports;
  const evaluation = new Evaluation({
    ...given.ports,
    prepare: async () => ({
      ...(await prepare()),
      run: async (_, name) => {
        if (Number.parseInt(name) >= 20) await middle;
        return raw;
      },
    }),
    now: () => (nowMs += 100),
    engine: { ...engine, count: (serial) => (counts++, (nowMs += 1000), engine.count(serial)) },
  });
  await evaluation.refresh();
  const run = evaluation.start();
  await expect.poll(() => evaluation.run.results.length).toBeGreaterThan(2);
  await evaluation.count();
  await evaluation.count();
  expect(counts).toBe(1);
  evaluation.run.pause();
  await evaluation.count();
  expect(counts).toBe(2);
  evaluation.run.resume();
  goOn();
  await run;
  await evaluation.count();
  expect([counts, evaluation.measured!.images.length]).toEqual([3, 40]);
});

it('says why the sets cannot be read', async () => {
  const given = lab();
  const openTruth = () => Promise.reject(new Error('No connection.'));
  const evaluation = new Evaluation({ ...given.ports, openTruth });
  await evaluation.refresh();
  expect(evaluation.failure?.message).toBe('No connection.');
});

it('notes a finished run of its dataset, without the secrets of the configuration', async () => {
  const { notes } = await measured();
  expect(notes).toMatchObject([{ key: 'model', datasetId: 's', modelName: 'a.onnx', backend: 'WASM', imageCount: 1 }]);
  expect(notes[0]!.configText).not.toContain('do-not-tell');
});

it('keeps the run and its dataset while another dataset is chosen', async () => {
  const { evaluation } = await measured();
  evaluation.choose('empty');
  await evaluation.refresh();
  expect(evaluation.run.results).toHaveLength(1);
  expect(evaluation.editorHref('a')).toBe('#/s/a');
});

it('runs nothing again when the sets are read anew, and shows no figures of the run before once another begins', async () => {
  const { evaluation } = await measured();
  await evaluation.refresh();
  expect([evaluation.run.state.kind, evaluation.measured?.images.length]).toEqual(['done', 1]);
  evaluation.choose('empty');
  const run = evaluation.start();
  expect(evaluation.measured).toBeNull();
  await run;
});

it('keeps the figures of a set that was deleted since, with its name', async () => {
  const { evaluation, sets } = await measured();
  sets.shift();
  await evaluation.refresh();
  expect([evaluation.setId, evaluation.staleness, evaluation.datasetName]).toEqual(['empty', 'set', 'Pets']);
  expect(evaluation.run.results).toHaveLength(1);
});

it('makes a report of what a service that classifies said, without the keys of its configuration', async () => {
  const given = lab(memory(), [{ ...images[0]!, boxes: [], labels: ['Dog'] }]);
  const scores = { ...raw, classes: Float64Array.of(0.2, 0.8) };
  const prepare = async () => ({ ...(await given.ports.prepare()), run: async () => scores });
  const { evaluation } = await measured({ ...given, ports: { ...given.ports, prepare } });
  const text = async (format: 'json' | 'csv') => evaluation.classReport(evaluation.classes!, format).text();
  expect(JSON.parse(await text('json'))).toMatchObject({
    title: 'Evaluation of finder',
    facts: { Dataset: 'Pets', Model: 'a.onnx, SHA-256 abc' },
    metrics: { accuracy: 1 },
  });
  expect(await text('json')).not.toContain('do-not-tell');
  expect(await text('csv')).toBe('label,truth,precision,recall,f1\r\ndog,1,1,1,1\r\n');
});

it('searches a feeding by boxes of people, and by those of a model where a person said that they count', async () => {
  const [first] = images;
  const truth = [{ ...first!, boxes: [first!.boxes[0]!, { ...first!.boxes[1]!, isModelMade: true }] }];
  const { evaluation, fed, sets } = await measured(lab(memory(), truth));
  await evaluation.feeding.start();
  expect(evaluation.feeding.state).toMatchObject({ kind: 'failed', words: { message: 'No image of Pets has a box that counts.' } }); // prettier-ignore
  evaluation.takeModelMade('without-boxes');
  await evaluation.feeding.start();
  evaluation.takeModelMade('count');
  await evaluation.feeding.start();
  expect(fed).toEqual([[['a', 1]], [['a', 2]]]);
  sets.push({ id: 'others', name: 'Others' });
  await evaluation.refresh();
  evaluation.choose('others');
  await evaluation.feeding.start();
  expect(evaluation.feeding.state).toMatchObject({ words: { message: 'No image of Others has a box that counts.' } });
});

it('is tried with the samples: they are stored, chosen, run, and removed', async () => {
  const { ports, ran, bench } = lab();
  const evaluation = new Evaluation(ports);
  await evaluation.refresh();
  bench.isFull = true;
  await evaluation.trySamples();
  expect([evaluation.failure?.message, evaluation.isOnSamples, ran]).toEqual(['The browser has no room.', false, []]);
  bench.isFull = false;
  const twice = [evaluation.trySamples(), evaluation.trySamples()];
  expect(evaluation.isChangingSamples).toBe(true);
  await Promise.all(twice);
  await vi.waitFor(() => expect(evaluation.run.state.kind).toBe('done'));
  expect([evaluation.failure, evaluation.setId, evaluation.isOnSamples]).toEqual([null, 'faces', true]);
  expect([ran, evaluation.sets?.length, evaluation.isChangingSamples]).toEqual([['a.jpg'], 3, false]);
  await evaluation.removeSamples();
  expect([evaluation.setId, evaluation.isOnSamples]).toEqual(['s', false]);
});

/** The truth says kitty where the model says cat. */
const kitties = images.map((image) => ({ ...image, boxes: image.boxes.map((box) => ({ ...box, label: 'kitty' })) }));
const kittyCat = { label: 'kitty', modelLabel: 'cat' };
const labelsOf = ({ measured }: Evaluation) => measured!.boxes.space.labels;
const rightOf = (evaluation: Evaluation): number => {
  const { boxes, matches } = evaluation.measured!;
  return boxes.truth.count - metricsAt(sweepLabels(matches), new Float64Array(boxes.space.labels.length)).total.missed;
};

describe('labels that the model calls otherwise', () => {
  it('count by the model’s names in all that follows, and are kept with the set over a reload', async () => {
    const { evaluation, ...given } = await measured(lab(memory(), kitties));
    expect([labelsOf(evaluation), rightOf(evaluation)]).toEqual([['cat', 'dog', 'kitty'], 0]);
    await evaluation.addPairs([kittyCat]);
    await evaluation.count();
    expect([labelsOf(evaluation), rightOf(evaluation)]).toEqual([['cat', 'dog'], 1]);
    expect(given.pairs.get('s')).toEqual([kittyCat]);
    const view = new ResultsView(
      () => evaluation.measured!,
      fixedThresholds(0.5),
      async () => null,
    );
    expect([view.unknownTruth, view.choosable.map((label) => view.labels[label])]).toEqual([null, ['cat']]);

    const json = await evaluation.report(evaluation.measured!, Float64Array.of(0.5, 0.5), {
      goal: { kind: 'best-f1' },
      format: 'json',
    });
    expect(JSON.parse(await json.text())).toMatchObject({
      facts: { 'Labels by the model’s names': '“kitty” counts as “cat”' },
      labelPairs: [kittyCat],
      perLabel: [{ label: 'cat', truth: 2 }, { label: 'dog' }],
    });

    const { evaluation: later } = await measured(given);
    expect([labelsOf(later), later.run.pairs]).toEqual([['cat', 'dog'], [kittyCat]]);
    await later.removePair({ label: 'KITTY', modelLabel: 'Cat' });
    await later.count();
    expect([labelsOf(later), given.pairs.get('s')]).toEqual([['cat', 'dog', 'kitty'], []]);
    await later.names.undo();
    await later.count();
    expect([labelsOf(later), given.pairs.get('s'), later.names.canUndo]).toEqual([['cat', 'dog'], [kittyCat], false]);
  });

  it('are offered where they differ in wording only, as long as they do not count', async () => {
    const cats = kitties.map((image) => ({ ...image, boxes: image.boxes.map((box) => ({ ...box, label: 'Cats' })) }));
    const { evaluation } = await measured(lab(memory(), cats));
    expect(evaluation.offeredPairs).toEqual([{ label: 'Cats', modelLabel: 'cat' }]);
    await evaluation.addPairs(evaluation.offeredPairs);
    expect(evaluation.offeredPairs).toEqual([]);
  });

  it('count as one label of the model each, and pairs for other models stay', async () => {
    const given = lab(memory(), kitties);
    const forOther = { label: 'kitty', modelLabel: 'chat' };
    given.pairs.set('s', [forOther]);
    const { evaluation } = await measured(given);
    expect([evaluation.names.kept, evaluation.run.pairs]).toEqual([[forOther], []]);
    await evaluation.addPairs([kittyCat]);
    expect(given.pairs.get('s')).toEqual([forOther, kittyCat]);
    await expect(evaluation.addPairs([{ label: 'kitty', modelLabel: 'dog' }])).rejects.toThrow(
      'counts as “cat” already',
    );
    await expect(evaluation.addPairs([{ label: ' ', modelLabel: 'dog' }])).rejects.toThrow('A name is empty');
    expect(evaluation.run.pairs).toEqual([kittyCat]);
  });

  it('may be changed while boxes are counted: what is counted by other names counts for nothing', async () => {
    const given = lab(memory(), kitties);
    const { engine } = given.ports;
    const held = deferred();
    let isHeld = false;
    const count: typeof engine.count = async (serial) => {
      const counted = await engine.count(serial);
      if (isHeld) await held.promise;
      return counted;
    };
    const { evaluation } = await measured({ ...given, ports: { ...given.ports, engine: { ...engine, count } } });
    const before = evaluation.measured;
    isHeld = true;
    const late = evaluation.count();
    isHeld = false;
    await evaluation.addPairs([kittyCat]);
    held.resolve();
    await late;
    expect(evaluation.measured).toBe(before);
    await evaluation.count();
    expect(labelsOf(evaluation)).toEqual(['cat', 'dog']);
  });

  it('feed the search for the preprocessing of the model that is on the bench, too', async () => {
    const given = lab(memory(), kitties);
    given.pairs.set('s', [kittyCat]);
    const labels: string[] = [];
    const { evaluation } = await measured({
      ...given,
      ports: {
        ...given.ports,
        feeding: {
          ...given.ports.feeding,
          measure: async ({ pictures }) => {
            labels.push(...pictures.flatMap(({ boxes }) => boxes.map(({ label }) => label)));
            throw new Error('Nothing is measured here.');
          },
        },
      },
    });
    await evaluation.feeding.start();
    given.pairs.set('s', [{ label: 'kitty', modelLabel: 'chat' }]);
    await evaluation.feeding.start();
    given.bench.isInForce = false; // what the other model on the bench can report is not known
    await evaluation.feeding.start();
    expect(labels).toEqual(['cat', 'cat', 'kitty', 'kitty', 'chat', 'chat']);
  });
});
