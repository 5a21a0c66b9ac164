import { describe, expect, it } from 'vitest';
import type { VisionClient } from '../../../../workers/vision/client/vision-client.ts';
import type { ModelDescription } from '../../../../workers/vision/protocol.ts';
import { lint } from '../../../machine/config/lint/lint.ts';
import { applyFix } from '../../../machine/config/lint/apply-fix.ts';
import { ConfigState } from '../config/config-state.svelte.ts';
import { ConfigStore } from '../config/config-store.ts';
import { LabelFiles } from '../config/label-files.svelte.ts';
import { LabelsState } from './labels-state.svelte.ts';
import { ModelsState } from './models-state.svelte.ts';

const config = (model: object, vision: object = {}): string =>
  JSON.stringify({
    services: [
      { name: 'm', api: 'rdk:service:mlmodel', model: 'viam:mlmodel:onnx-cpu', attributes: model },
      { name: 'v', api: 'rdk:service:vision', model: 'mlmodel', attributes: { mlmodel_name: 'm', ...vision } },
    ],
  });

function memory() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
}

const client = (description: Partial<ModelDescription> | null): Partial<VisionClient> => ({
  onBackendDecided: () => () => {},
  onModelLost: () => () => {},
  loadModel: async () => description as ModelDescription,
  unloadModel: async () => {},
  storedModels: async () => [],
});

/** A bench with the model `yolo.onnx`, whose metadata names cat and dog. */
async function bench(text: string, { names = ['cat', 'dog'] as string[] | null, kept = memory() } = {}) {
  const description: Partial<ModelDescription> = { modelId: 'y', sha256: 'y', fileName: 'yolo.onnx', labels: names };
  const configState = new ConfigState({ labelFiles: new LabelFiles(kept) });
  configState.importText(text);
  const models = new ModelsState(client(description) as VisionClient, memory());
  await models.load({ kind: 'url', url: 'https://example.org/yolo.onnx' }, 'v');
  return { config: configState, models, labels: new LabelsState(configState, models), kept };
}
const labelPath = ({ text }: ConfigState): unknown => JSON.parse(text).services[0].attributes.label_path;

describe('LabelsState', () => {
  it('says index numbers without a label file, and offers what the model carries', async () => {
    const { labels } = await bench(config({ model_path: '/m/x.onnx' }));
    expect(labels.of('v')).toBeNull();
    expect(labels.byService).toEqual({ v: null });
    expect(labels.offered('v')).toEqual(['cat', 'dog']);
    expect([labels.offeredName('v', '1'), labels.offeredName('v', '2'), labels.offeredName('v', 'cat')]).toEqual([
      'dog',
      '',
      '',
    ]);
  });

  it('makes a label file of what is offered, as one step that undo takes back', async () => {
    const { config: json, labels } = await bench(config({ model_path: '/m/x.onnx' }));
    labels.useOffered('v');
    expect(labelPath(json)).toBe('/m/yolo.labels.txt');
    expect(labels.of('v')).toEqual(['cat', 'dog']);
    expect(labels.offered('v')).toBeNull();
    expect(labels.offeredName('v', '1')).toBe('');
    json.undo();
    expect(labelPath(json)).toBeUndefined();
    expect(labels.of('v')).toBeNull();
    json.redo();
    expect(labels.of('v')).toEqual(['cat', 'dog']);
  });

  it('takes the same file from the fix of the lint', async () => {
    const { config: json, labels } = await bench(config({}, { label_confidences: { cat: 0.5 } }));
    const facts = { v: { offeredLabels: ['cat', 'dog'], modelFileName: 'yolo.onnx' } };
    const finding = lint(json.text, facts).find(({ code }) => code === 'label-numbers')!;
    json.edit('fix', (text) => applyFix(text, finding.fix!));
    expect(labels.of('v')).toEqual(['cat', 'dog']);
  });

  it('knows nothing of a file that is named and not given', async () => {
    const { labels } = await bench(config({ label_path: '/m/other.txt' }));
    expect(labels.sourceOf('v')).toMatchObject({ kind: 'missing', named: { path: '/m/other.txt' } });
    expect(labels.of('v')).toBeNull();
    labels.give('v', ['lion', 'wolf'], 'other.txt');
    expect(labels.of('v')).toEqual(['lion', 'wolf']);
    labels.give('v', [], '');
    expect(labels.sourceOf('v').kind).toBe('missing');
  });

  it('names a file that is given where none is named', async () => {
    const { config: json, labels } = await bench(config({ model_path: '${packages.ml_model.a}/x.onnx' }));
    labels.give('v', ['lion'], 'zoo.txt', { fileName: 'zoo.txt' });
    expect(labelPath(json)).toBe('zoo.txt'); // the package does not hold it
    expect(labels.of('v')).toEqual(['lion']);
    json.undo();
    expect(labels.of('v')).toBeNull();
  });

  it('believes what was given for the file before the names of the model, until they are chosen', async () => {
    const { labels } = await bench(config({ label_path: 'yolo.labels.txt' }));
    expect(labels.of('v')).toEqual(['cat', 'dog']);
    labels.give('v', ['lion', 'wolf'], 'typed here');
    expect(labels.of('v')).toEqual(['lion', 'wolf']);
    labels.useOffered('v');
    expect(labels.of('v')).toEqual(['cat', 'dog']);
  });

  it('takes a list back in the same undo, by its name', async () => {
    const { config: json, labels } = await bench(config({ label_path: 'a.txt' }));
    labels.give('v', ['lion', 'wolf'], 'zoo.txt', { fileName: 'zoo.txt' });
    const before = json.text;
    labels.give('v', ['x'], 'from one.txt', { fileName: 'one.txt' });
    expect([json.undoLabel, json.text]).toEqual(['Label list one.txt', before]);
    json.undo();
    expect(labels.of('v')).toEqual(['lion', 'wolf']);
    json.redo();
    expect(labels.of('v')).toEqual(['x']);
    labels.give('v', [], 'typed here');
    expect([json.undoLabel, labels.of('v')]).toEqual(['Remove the label list', null]);
    json.undo();
    json.undo();
    json.undo();
    expect([labels.sourceOf('v').kind, json.undoLabel]).toEqual(['missing', 'Import a configuration']);
  });

  it('makes no step of a list that is in force already', async () => {
    const { config: json, labels } = await bench(config({ label_path: 'a.txt' }));
    labels.give('v', ['lion'], 'zoo.txt');
    labels.give('v', ['lion'], 'zoo.txt');
    json.undo();
    expect(labels.of('v')).toBeNull();
  });

  it('takes a list back after a reload', async () => {
    const kept = memory();
    const first = new ConfigState({ store: new ConfigStore(kept), labelFiles: new LabelFiles(kept) });
    first.importText(config({ label_path: 'a.txt' }));
    const labels = new LabelsState(first, new ModelsState(client(null) as VisionClient, memory()));
    labels.give('v', ['lion', 'wolf'], 'zoo.txt');
    labels.give('v', ['x'], 'one.txt');
    first.flush();
    const next = new ConfigState({ store: new ConfigStore(kept), labelFiles: new LabelFiles(kept) });
    const content = () => next.labelFiles.at('a.txt')?.labels;
    expect([next.undoLabel, content()]).toEqual(['Label list one.txt', ['x']]);
    next.undo();
    expect(content()).toEqual(['lion', 'wolf']);
    next.redo();
    expect(content()).toEqual(['x']);
  });

  it('gives a list as a part of the step before it', async () => {
    const { config: json, labels } = await bench(config({ label_path: 'a.txt' }));
    const before = json.text;
    labels.give('v', ['lion'], 'zoo.txt');
    json.importText(config({ label_path: 'b.txt' }), 'Open bench.zip');
    labels.give('v', ['wolf'], 'the saved bench', { joins: true });
    expect([json.undoLabel, labels.of('v')]).toEqual(['Open bench.zip', ['wolf']]);
    json.undo();
    expect([json.text, labels.of('v'), json.labelFiles.at('b.txt')]).toEqual([before, ['lion'], null]);
    json.redo();
    expect(labels.of('v')).toEqual(['wolf']);
  });

  it('changes nothing while the configuration cannot be read', async () => {
    const { config: json, labels } = await bench(config({ label_path: 'a.txt' }));
    labels.give('v', ['lion'], 'zoo.txt');
    json.typeText('{');
    expect(labels.give('v', ['x'], 'one.txt')).toBe(false);
    expect(labels.of('v')).toEqual(['lion']);
  });

  it('asks about a list, takes it or keeps the former one, and forgets the question with the model', async () => {
    const { config: json, models, labels } = await bench(config({ label_path: 'a.txt' }));
    labels.give('v', ['lion', 'wolf'], 'zoo.txt');
    const question = { service: 'v', labels: ['x'], from: 'one.txt', doubt: '1 name.', hasFormer: true };
    labels.ask(question);
    labels.answer(false);
    expect([labels.doubtful, labels.of('v')]).toEqual([null, ['lion', 'wolf']]);
    labels.ask(question);
    expect(labels.doubtful).toMatchObject(question);
    labels.answer(true);
    expect([labels.doubtful, labels.of('v'), json.undoLabel]).toEqual([null, ['x'], 'Label list one.txt']);
    labels.ask(question);
    await models.unload('v');
    expect(labels.doubtful).toBeNull();
    labels.answer(true);
    json.undo();
    expect(labels.of('v')).toEqual(['lion', 'wolf']);
  });

  it('goes back to index numbers', async () => {
    const { config: json, labels } = await bench(config({ label_path: 'a.txt' }, { label_path: 'b.txt' }));
    labels.useNumbers('v');
    expect(labels.sourceOf('v').kind).toBe('numbers');
    json.undo();
    expect(labels.sourceOf('v')).toMatchObject({ named: { path: 'b.txt' } });
  });

  it('names no file for a service that the configuration does not have', async () => {
    const { config: json, labels, kept } = await bench(config({ model_path: '/m/x.onnx' }));
    const before = json.text;
    expect(labels.give('gone', ['lion'], 'a.txt')).toBe(true);
    expect([json.text, kept.getItem('sightglass:labels')]).toEqual([before, null]);
  });

  it('takes an empty file for index numbers, and gives the worker the empty file', async () => {
    const { labels } = await bench(config({ label_path: 'yolo.labels.txt' }), { names: [] });
    expect(labels.of('v')).toBeNull();
    expect(labels.byService).toEqual({ v: [] });
  });

  it('remembers what was given', async () => {
    const first = await bench(config({ label_path: 'a.txt' }));
    first.labels.give('v', ['lion'], 'a.txt');
    const next = await bench(config({ label_path: 'a.txt' }), { kept: first.kept });
    expect(next.labels.of('v')).toEqual(['lion']);
  });

  it.each(['[1]', '{"a.txt":{"labels":[1],"from":"x"}}', '{"a.txt":null}', '7'])(
    'reads nothing from a memory of %s',
    async (text) => {
      const kept = memory();
      kept.setItem('sightglass:labels', text);
      const { labels } = await bench(config({ label_path: 'a.txt' }), { kept });
      expect(labels.sourceOf('v').kind).toBe('missing');
    },
  );
});
