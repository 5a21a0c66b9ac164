import { unitsOf } from '../../../evidence/evaluation/choose/units.ts';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { deferred } from '../../../../tests/deferred.ts';
import { fixedThresholds } from '../../../../tests/fixed-thresholds.ts';
import { createEvaluationApi } from '../../../../workers/evaluation/api.ts';
import type { LabelPair } from '../../../evidence/datasets/label-schemes/label-scheme.ts';
import type { RawImage } from '../../../platform/ports/raw-image.ts';
import type { ResultStore, RunRecord } from '../../../platform/ports/result-store.ts';
import type { ReadyModel } from '../ports/raw-model.ts';
import type { TruthImage, TruthSource } from '../ports/truth-source.ts';
import type { ImageDependence } from '../run/image-dependence.svelte.ts';
import { EvaluationRun } from '../run/evaluation-run.svelte.ts';
import { Comparison } from './comparison.svelte.ts';
import { boxesOfFrame } from './frame-boxes.ts';

const config = (threshold: number, ...others: readonly string[]) =>
  JSON.stringify({
    env: { API_KEY: 'do-not-keep' },
    services: ['finder', ...others].map((name) => ({
      name,
      api: 'rdk:service:vision',
      model: 'mlmodel',
      attributes: { mlmodel_name: 'm', default_minimum_confidence: name === 'finder' ? threshold : 0.95 },
    })),
  });

const raw = (label: string, score: number, x: number, classes: Float64Array | null = null): RawImage => ({
  widthPx: 100,
  heightPx: 100,
  labels: [label],
  labelIndex: Uint32Array.of(0),
  score: Float64Array.of(score),
  box: Float64Array.of(x, 0, 20, 20),
  seen: null,
  classes,
});

const image = (id: string): TruthImage => ({
  id,
  name: `${id}.jpg`,
  sizeBytes: 1,
  boxes: [
    {
      label: 'cat',
      isModelMade: false,
      xMinNormalized: 0,
      yMinNormalized: 0,
      xMaxNormalized: 0.2,
      yMaxNormalized: 0.2,
    },
  ],
  labels: [],
  sequence: '',
});

const { signal } = new AbortController();

/** Runs of models on three images; each model says one box an image. */
function lab() {
  const kept = new Map<string, Map<string, RawImage>>();
  const records: RunRecord[] = [];
  let found = 0;
  const store: ResultStore = {
    find: async (key, ids) => {
      found++;
      return new Map(ids.flatMap((id) => (kept.get(key)?.has(id) ? [[id, kept.get(key)!.get(id)!]] : [])));
    },
    put: async (key, id, result) => {
      kept.set(key, (kept.get(key) ?? new Map<string, RawImage>()).set(id, result));
      return true;
    },
    records: async (datasetId) => records.filter((record) => record.datasetId === datasetId),
    note: async (record) => {
      const others = records.filter(({ key, datasetId }) => key !== record.key || datasetId !== record.datasetId);
      records.splice(0, Infinity, record, ...others);
      return true;
    },
  };
  let images = ['a', 'b', 'c'].map(image);
  const source: TruthSource = {
    sets: async () => [],
    images: async () => images,
    bytes: async (_, ids) => new Map(ids.map((id) => [id, new Uint8Array(1)])),
    pairs: async () => null,
    keepPairs: async () => undefined,
    editorHref: () => '',
  };
  let ready: ReadyModel;
  const names: { kept: readonly LabelPair[] } = { kept: [] };
  const run = new EvaluationRun({ prepare: async () => ready, store, now: () => 0, pairs: () => names.kept });
  const dependence: { -readonly [Part in 'found' | 'text' | 'units']: ImageDependence[Part] } = {
    found: null,
    units: unitsOf,
    text: (images) => `${images.length} images`,
  };
  let engine = createEvaluationApi();
  const comparison = new Comparison(
    {
      store,
      version: '1.2.3',
      engine: {
        measurePair: (...given) => engine.measurePair(...given),
        comparePair: (...given) => engine.comparePair(...given),
        reportPair: (...given) => engine.reportPair(...given),
      },
    },
    run,
    dependence,
    names,
  );
  return {
    run,
    comparison,
    names,
    store,
    source,
    dependence,
    records,
    finds: () => found,
    restartWorker: () => void (engine = createEvaluationApi()),
    async ran(key: string, result: RawImage, configText = config(0.5), ids = ['a', 'b', 'c']) {
      images = ids.map(image);
      ready = {
        key,
        serviceName: 'finder',
        modelName: `${key}.onnx`,
        sha256: key,
        cameraName: null,
        models: [],
        backend: 'WASM',
        configText,
        isInForce: true,
        onBench: { serviceName: 'finder', modelName: `${key}.onnx` },
        rename: (kept) => kept,
        setup: '',
        run: async () => result,
      };
      await run.start(source, 's');
      await comparison.note();
      await comparison.list();
    },
  };
}

async function twoRuns() {
  const made = lab();
  await made.ran('float', raw('cat', 0.9, 0));
  await made.ran('int8', raw('CAT', 0.6, 5));
  return made;
}

describe('what a run can be compared with', () => {
  it('is every other run of the dataset, which is told without its secrets', async () => {
    const { comparison, records } = await twoRuns();
    expect(comparison.others.map(({ title }) => title)).toEqual(['float.onnx · finder']);
    expect(records).toHaveLength(2);
    expect(JSON.stringify(records)).not.toContain('do-not-keep');
    expect(records[0]).toMatchObject({ key: 'int8', datasetId: 's', imageCount: 3, serviceName: 'finder' });
  });

  it('is no run that did not reach its end', async () => {
    const made = lab();
    await made.ran('float', raw('cat', 0.9, 0));
    const cancelled = made.ran('int8', raw('cat', 0.6, 5));
    made.run.cancel();
    await cancelled;
    expect(made.records.map(({ key }) => key)).toEqual(['float']);
  });

  it('is also the thresholds of another service, without a look at the store', async () => {
    const made = lab();
    await made.ran('float', raw('cat', 0.9, 0), config(0.5, 'picky'));
    const finds = made.finds();
    made.comparison.choose(made.comparison.others[0]!.id);
    await made.comparison.update(fixedThresholds(0.5), signal);
    expect(made.comparison.compared!.counts).toMatchObject({ vanished: 3, same: 0 });
    expect(made.finds()).toBe(finds);
  });

  it('is also those of a file, and a file without any is refused in words', async () => {
    const { comparison } = await twoRuns();
    await comparison.addFile(new File([config(0.8)], 'old.json'));
    expect(comparison.chosen!.title).toBe('Thresholds of finder in old.json');
    const count = comparison.others.length;
    await comparison.addFile(new File([config(0.7)], 'old.json'));
    expect([comparison.others.length, comparison.chosen!.rule.defaultMinimumConfidence]).toEqual([count, 0.7]);
    await comparison.addFile(new File(['{}'], 'empty.json'));
    expect(comparison.failure!.message).toContain('empty.json has no vision service');
    expect(comparison.chosen!.title).toBe('Thresholds of finder in old.json');
  });
});

it('lists no runs of a set that was left meanwhile', async () => {
  const made = await twoRuns();
  const listed = deferred<readonly RunRecord[]>();
  made.store.records = () => listed.promise;
  const late = made.comparison.list();
  const other = made.run.start(made.source, 'other');
  listed.resolve([...made.records, { ...made.records[0]!, key: 'late' }]);
  await Promise.all([late, other]);
  expect(made.comparison.others.map(({ id }) => id)).toEqual(['run float']);
});

it('notes a run with the time of its end, however late its thresholds are noted again', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1000 });
  onTestFinished(() => void vi.useRealTimers());
  const { records, comparison } = await twoRuns();
  vi.setSystemTime(5000);
  await comparison.note();
  expect(records.map(({ key, endedMs }) => [key, endedMs])).toEqual([
    ['int8', 1000],
    ['float', 1000],
  ]);
});

describe('a comparison', () => {
  it('is busy until the last one that was asked for is there', async () => {
    const { comparison } = await twoRuns();
    comparison.choose('run float');
    const first = comparison.update(fixedThresholds(0.5), signal);
    const second = comparison.update(fixedThresholds(0.7), signal);
    await first;
    expect(comparison.isBusy).toBe(true);
    await second;
    expect(comparison.isBusy).toBe(false);
  });

  it('is measured anew once it is known which images depend on each other', async () => {
    const { comparison, dependence } = await twoRuns();
    comparison.choose('run float');
    await comparison.update(fixedThresholds(0.5), signal);
    expect(comparison.compared!.units.count).toBe(3);
    const groupOf = new Map(['a', 'b', 'c'].map((id) => [id, 'one walk']));
    dependence.found = { basis: 'pictures', alikeCount: 3, groupOf };
    dependence.units = (images) => unitsOf(images.map(({ id }) => ({ id, sequence: groupOf.get(id)! })));
    await comparison.update(fixedThresholds(0.5), signal);
    expect(comparison.compared!.units.count).toBe(1);
  });

  it('goes from the run on the page to the other one, at the thresholds of both, labels without case', async () => {
    const { comparison } = await twoRuns();
    comparison.choose('run float');
    await comparison.update(fixedThresholds(0.5), signal);
    const compared = comparison.compared!;
    expect(compared.counts).toEqual({ same: 0, moved: 3, relabelled: 0, vanished: 0, appeared: 0 });
    expect(compared.labels).toEqual(['CAT']);
    expect(boxesOfFrame(compared, 1).first).toEqual([
      { row: 1, kind: 'moved', label: 'CAT', score: 0.6, x: 5, y: 0, width: 20, height: 20, drop: null },
    ]);
    expect(boxesOfFrame(compared, 1).second).toMatchObject([{ row: 1, kind: 'moved', label: 'cat', x: 0 }]);
    await comparison.update(fixedThresholds(0.7), signal);
    expect(comparison.compared!.counts).toMatchObject({ appeared: 3, moved: 0 });
    expect(boxesOfFrame(comparison.compared!, 1).first).toEqual([]);
    comparison.setMovedMoreThan(5);
    await comparison.update(fixedThresholds(0.5), signal);
    expect(comparison.compared!.counts).toMatchObject({ same: 3 });
  });

  it('reads no thresholds of a page that was left while it was measured, and keeps what was found before', async () => {
    const { comparison } = await twoRuns();
    comparison.choose('run float');
    const left = new AbortController();
    let reads = 0;
    const counted = { ...fixedThresholds(0.5), thresholdOf: () => (reads++, 0.5) };
    const updated = comparison.update(counted, left.signal);
    left.abort();
    await updated;
    expect([reads, comparison.compared, comparison.isBusy]).toEqual([0, null, false]);
    await comparison.update(counted, signal);
    const { compared } = comparison;
    await comparison.update(fixedThresholds(0.7), left.signal);
    expect([reads > 0, compared !== null, comparison.compared === compared]).toEqual([true, true, true]);
  });

  it('offers thresholds by which the run keeps what the other one keeps', async () => {
    const { comparison } = await twoRuns();
    comparison.choose('run float');
    await comparison.update(fixedThresholds(0.7), signal);
    expect(comparison.compared!.matched).toEqual([
      { label: 0, wanted: 3, now: { kept: 0, shared: 0 }, change: { threshold: 0.6, then: { kept: 3, shared: 3 } } },
    ]);
  });

  it('leaves out images that only one of them has, and says how many', async () => {
    const made = lab();
    await made.ran('float', raw('cat', 0.9, 0), config(0.5), ['a']);
    await made.ran('int8', raw('cat', 0.6, 5));
    made.comparison.choose('run float');
    await made.comparison.update(fixedThresholds(0.5), signal);
    expect(made.comparison.compared).toMatchObject({ leftOutCount: 2, images: [{ image: { id: 'a' } }] });
  });

  it('is made again by a worker that has forgotten it, and measured but once otherwise', async () => {
    const { comparison, restartWorker, finds } = await twoRuns();
    comparison.choose('run float');
    await comparison.update(fixedThresholds(0.5), signal);
    const before = finds();
    await comparison.update(fixedThresholds(0.7), signal);
    expect(finds()).toBe(before);
    restartWorker();
    await comparison.update(fixedThresholds(0.5), signal);
    expect(comparison.compared!.counts.moved).toBe(3);
  });

  it('refuses a run that says classes, or that has none of the images', async () => {
    const made = lab();
    await made.ran('classes', raw('cat', 0.9, 0, Float64Array.of(1)));
    await made.ran('other', raw('cat', 0.9, 0), config(0.5), ['z']);
    await made.ran('int8', raw('cat', 0.6, 5));
    made.comparison.choose('run classes');
    await made.comparison.update(fixedThresholds(0.5), signal);
    expect(made.comparison.failure!.message).toContain('no boxes');
    made.comparison.choose('run other');
    await made.comparison.update(fixedThresholds(0.5), signal);
    expect(made.comparison.failure!.message).toContain('no image in common');
    expect(made.comparison.compared).toBeNull();
  });

  it('is told by a report with what both were made with, and no secrets', async () => {
    const { comparison } = await twoRuns();
    comparison.choose('run float');
    await comparison.update(fixedThresholds(0.7), signal);
    const report = await comparison.report(comparison.compared!, 'Pets', 'json');
    const text = await report.text();
    expect(report.type).toBe('application/json');
    expect(JSON.parse(text)).toMatchObject({
      facts: { Dataset: 'Pets', Sightglass: '1.2.3' },
      sides: { Model: ['int8.onnx', 'float.onnx'] },
      changes: { appeared: 3 },
    });
    expect(text).not.toContain('do-not-keep');
    await comparison.addFile(new File([config(0.8)], 'old.json'));
    await comparison.update(fixedThresholds(0.5), signal);
    const ofFile = await (await comparison.report(comparison.compared!, 'Pets', 'json')).text();
    expect(ofFile).toContain('finder: default_minimum_confidence');
    expect(ofFile).not.toContain('do-not-keep');
  });
});

describe('labels that models call otherwise', () => {
  /** The truth says cat; one model says kitty, and the other one chat. */
  async function compared(kept: readonly LabelPair[], first = 'kitty', thresholds = config(0.5)) {
    const made = lab();
    made.names.kept = kept;
    await made.ran('float', raw(first, 0.9, 0), thresholds);
    await made.ran('int8', raw('chat', 0.6, 0));
    made.comparison.choose(made.comparison.others[0]!.id);
    await made.comparison.update(fixedThresholds(0.5), signal);
    return made.comparison.compared!;
  }
  const pairs = [
    { label: 'cat', modelLabel: 'kitty' },
    { label: 'cat', modelLabel: 'chat' },
  ];

  it('are counted by one list of names, and without pairs nothing is said to be worse', async () => {
    const apart = await compared([]);
    expect(apart.strangers).toEqual({ first: ['chat'], second: ['kitty'] });
    expect(new Set(apart.figures.map(({ verdict }) => verdict))).toEqual(new Set(['cannot tell']));
    const together = await compared(pairs);
    expect([together.strangers, together.labels]).toEqual([null, ['chat']]);
    expect(together.counts).toMatchObject({ same: 3, relabelled: 0 });
    expect([together.first.total.missed, together.second.total.missed]).toEqual([0, 0]);
  });

  it('count by the other model’s names as soon as these are said', async () => {
    const made = lab();
    made.names.kept = pairs.slice(1);
    await made.ran('float', raw('kitty', 0.9, 0));
    await made.ran('int8', raw('chat', 0.6, 0));
    made.comparison.choose('run float');
    const labels = async () => {
      await made.comparison.update(fixedThresholds(0.5), signal);
      return made.comparison.compared!.labels;
    };
    expect(await labels()).toEqual(['chat', 'kitty']);
    made.names.kept = pairs;
    expect(await labels()).toEqual(['chat']);
  });

  it('of which one calls them as the truth does are not worse for it', async () => {
    const { strangers, counts, second } = await compared(pairs, 'cat');
    expect([strangers, counts.same, second.total.missed]).toEqual([null, 3, 0]);
  });

  it('have the thresholds of their own names', async () => {
    const text = config(0.5).replace('"default_minimum_confidence":0.5', '"label_confidences":{"kitty":0.95}');
    const { counts, labels, secondLabels } = await compared(pairs, 'kitty', text);
    expect([labels, secondLabels]).toEqual([['chat'], ['kitty']]);
    expect(counts).toMatchObject({ appeared: 0, vanished: 3 });
  });
});
