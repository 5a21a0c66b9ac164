import { describe, expect, it } from 'vitest';
import type { VisionClient } from '../../../../workers/vision/client/vision-client.ts';
import type { ModelDescription } from '../../../../workers/vision/protocol.ts';
import { memoryStorage } from '../../../../tests/memory-storage.ts';
import {
  setBgr,
  setDefaultConfidence,
  setLabelConfidence,
  setModelFile,
  setModelService,
} from '../../../machine/config/edit/edit-config.ts';
import { sampleConfigText } from '../../../machine/config/share/sample-config.ts';
import type { ModelSource } from '../../../platform/ports/model-source.ts';
import { openTabMemory } from '../../kit/memory/remembered.ts';
import { ConfigState } from '../config/config-state.svelte.ts';
import { ConfigStore } from '../config/config-store.ts';
import { InterpretationsState } from './interpretations-state.svelte.ts';
import { LabelFiles } from '../config/label-files.svelte.ts';
import { LabelsState } from './labels-state.svelte.ts';
import { ModelShelf } from './model-shelf.svelte.ts';
import { ModelsState } from './models-state.svelte.ts';

/** A file whose hash is made of its name and its edition: "best.onnx 2" is another best.onnx. */
const fromUrl = (file: string): ModelSource => ({ kind: 'url', url: `https://example.org/${file}` });

/** What a fitted file says. */
const fedAs = { input_image_mean_value: [0.406, 0.456, 0.485], input_image_std_dev: [0.225, 0.224, 0.229], input_image_bgr: true }; // prettier-ignore

function describedAs(file: string): ModelDescription {
  const [fileName = '', , inputName = 'images'] = file.split(' ');
  const format = fileName.endsWith('.tflite')
    ? { name: 'tflite', schemaVersion: 3, signatures: [] }
    : { name: 'onnx', irVersion: 8, opsets: {} };
  const inputs = [{ name: inputName, dtype: 'float32', shape: [1, 3, 9, 9], symbols: [null, null, null, null] }];
  const metadata = fileName.includes('.fitted.') ? { 'sightglass.feeding': JSON.stringify(fedAs) } : {};
  const nothing = { outputs: [], labels: null };
  return { modelId: file, sha256: file, fileName, format, inputs, metadata, ...nothing, stored: true } as never;
}

interface Browser {
  readonly shared: ReturnType<typeof memoryStorage>;
  readonly stored: Set<string>;
}
const browser = (): Browser => ({ shared: memoryStorage(), stored: new Set() });

/** A tab of a browser; `tab` is its own storage, which a reload keeps. */
function openTab({ shared, stored }: Browser = browser(), tab = memoryStorage()) {
  const memory = openTabMemory({ ...tab, getItem: tab.getItem, setItem: tab.setItem, removeItem: () => {} }, shared);
  const client: Partial<VisionClient> = {
    onBackendDecided: () => () => {},
    onModelLost: () => () => {},
    loadModel: async (source) => {
      if (source.kind === 'live') return { ...describedAs(source.modelName), sha256: '', format: null, stored: false };
      if (source.kind === 'builtin') return describedAs(`${source.id}.onnx 1 image`);
      const file =
        source.kind === 'stored'
          ? source.sha256
          : decodeURIComponent((source as { url: string }).url.split('/').at(-1)!);
      if (source.kind === 'stored' && !stored.has(file)) throw new Error('It is not stored.');
      stored.add(file);
      return describedAs(file);
    },
    storedModels: async () =>
      [...stored].map((sha256) => ({ sha256, fileName: sha256.split(' ')[0]!, byteLength: 1, storedAtMs: 0 })),
    forgetModel: async (sha256) => void stored.delete(sha256),
    unloadModel: async () => {},
  };
  const store = new ConfigStore(memory);
  const config = new ConfigState({ store, labelFiles: new LabelFiles(memory) });
  const models: ModelsState = new ModelsState(client as VisionClient, memory, {
    pathOf: (service) => pathIn(config.text, service),
    onLeaving: (service) => shelf.leaving(service),
    onLoaded: (service) => shelf.opened(service),
    onEntered: (service) => shelf.entered(service),
  });
  const labels = new LabelsState(config, models);
  const interpretations = new InterpretationsState(config, models, {} as VisionClient);
  const shelf = new ModelShelf({ config, models, labels, interpretations }, memory);
  const service = (): string => config.visionName!;
  return {
    config,
    models,
    labels,
    shelf,
    tab,
    drop: (file: string) => models.load(fromUrl(file), service()),
    /** Rewrites the model on the stage, as a fit does. */
    fit: (file: string) =>
      models.swap(fromUrl(file), service(), () =>
        config.edit(`Make ${file} machine-ready`, (text) =>
          setBgr(setModelFile(text, service(), 'viam:mlmodel:onnx-cpu', file), service(), true),
        ),
      ),
    tune: (change: (text: string, service: string) => string) =>
      config.edit('Tuning', (text) => change(text, service())),
    /** The exported entries of the tuned service. */
    exported: () => entriesIn(config.text, service()),
    onStage: () => models.of(service())?.modelId,
    other: () => shelf.described.otherOf(service()),
    /** Undo, with the model that comes back. */
    async undo() {
      config.undo();
      await new Promise((resolve) => setTimeout(resolve));
    },
    async redo() {
      config.redo();
      await new Promise((resolve) => setTimeout(resolve));
    },
    close: () => store.flush(),
  };
}

function entriesIn(text: string, service: string) {
  const { services } = JSON.parse(text) as {
    services: { name: string; model: string; attributes: Record<string, unknown> }[];
  };
  const vision = services.find(({ name }) => name === service)!;
  const file = services.find(({ name }) => name === vision.attributes['mlmodel_name']);
  return { module: file?.model, file: file?.attributes ?? {}, vision: vision.attributes };
}
const pathIn = (text: string, service: string): string => String(entriesIn(text, service).file['model_path'] ?? '');

const imported = (
  attributes: object = {},
  file: object = { model_path: '/data/people.onnx', label_path: '/data/people.txt' },
) =>
  JSON.stringify({
    services: [
      { name: 'm', api: 'rdk:service:mlmodel', model: 'viam:mlmodel:onnx-cpu', attributes: file },
      { name: 'v', api: 'rdk:service:vision', model: 'mlmodel', attributes: { mlmodel_name: 'm', ...attributes } },
    ],
  });
const people = { input_image_bgr: true, input_image_mean_value: [1, 2, 3], label_confidences: { person: 0.7 } };

describe('a fresh bench', () => {
  it('feeds a model that was fitted before as its file says, until a person says otherwise', async () => {
    const bench = openTab();
    await bench.models.loadFirst(bench.config.visionName!);
    await bench.drop('nano.fitted.onnx');
    expect(bench.exported().vision).toMatchObject({ ...fedAs, default_minimum_confidence: 0.5 });
    expect(bench.shelf.tensorNames.said(bench.config.visionName!)).toContain('It is fed as its file says.');
    bench.tune((text, service) => setBgr(text, service, false));
    await bench.drop('other.onnx');
    expect(Object.keys(bench.exported().vision)).not.toContain('input_image_mean_value');
    await bench.drop('nano.fitted.onnx');
    expect(bench.exported().vision).toMatchObject({ input_image_mean_value: fedAs.input_image_mean_value });
    expect(bench.exported().vision).not.toHaveProperty('input_image_bgr');
  });

  it('describes the model on the stage, and nothing of the one before', async () => {
    const bench = openTab();
    await bench.models.loadFirst(bench.config.visionName!);
    await bench.drop('ssd.tflite');
    await bench.drop('light_person.tflite');
    expect(bench.exported()).toMatchObject({
      module: 'viam:mlmodel-tflite:tflite_cpu',
      file: { model_path: 'light_person.tflite' },
      vision: { default_minimum_confidence: 0.5, remap_input_names: { images: 'image' } },
    });
    expect(bench.exported().file).not.toHaveProperty('label_path');
    expect(bench.exported().vision).not.toHaveProperty('input_image_mean_value');
    expect(bench.other()).toBeNull();
  });

  it('feeds no model as the one before was fed, and brings back what was set for it', async () => {
    const bench = openTab();
    await bench.drop('a.onnx');
    bench.tune((text, service) => setLabelConfidence(setBgr(text, service, true), service, 'cat', 0.8));
    const ofA = bench.config.text;
    await bench.drop('b.onnx');
    expect(bench.config.service).toMatchObject({ bgr: false, labelConfidences: {}, defaultMinimumConfidence: 0.5 });
    bench.tune((text, service) => setDefaultConfidence(text, service, 0.3));
    const ofB = bench.config.text;
    await bench.drop('a.onnx');
    expect(bench.config.text).toBe(ofA);
    await bench.drop('b.onnx');
    expect(bench.config.text).toBe(ofB);
  });

  it('comes back to the character of the example with its own model', async () => {
    const bench = openTab();
    await bench.models.loadFirst(bench.config.visionName!);
    bench.shelf.follow();
    await bench.drop('a.tflite');
    await bench.models.load({ kind: 'builtin', id: 'face-detector' }, bench.config.visionName!);
    expect(bench.config.text).toBe(sampleConfigText);
  });

  it('names the label file of a built-in model', async () => {
    const bench = openTab();
    await bench.drop('a.tflite');
    await bench.models.load({ kind: 'builtin', id: 'face-classifier' }, bench.config.visionName!);
    expect(bench.exported().file).toEqual({
      model_path: 'face-classifier.onnx',
      label_path: 'face-classifier.labels.txt',
    });
  });

  it('takes model and settings back in one step, and brings both again', async () => {
    const bench = openTab();
    await bench.drop('a.onnx');
    bench.tune((text, service) => setBgr(text, service, true));
    const ofA = bench.config.text;
    await bench.drop('b.onnx');
    const ofB = bench.config.text;
    expect(bench.config.undoLabel).toBe('Model b.onnx');
    await bench.undo();
    expect([bench.config.text, bench.onStage()]).toEqual([ofA, 'a.onnx']);
    expect(bench.other()).toBeNull();
    await bench.redo();
    expect([bench.config.text, bench.onStage()]).toEqual([ofB, 'b.onnx']);
  });

  it('brings the model of the last step, where undo and redo follow at once', async () => {
    const bench = openTab();
    await bench.drop('a.onnx');
    await bench.drop('b.onnx');
    const ofB = bench.config.text;
    bench.config.undo();
    await bench.redo();
    expect([bench.config.text, bench.onStage(), bench.other()]).toEqual([ofB, 'b.onnx', null]);
    await bench.drop('c.onnx');
    bench.config.undo();
    bench.config.undo();
    await bench.redo();
    expect([bench.config.text, bench.onStage(), bench.other()]).toEqual([ofB, 'b.onnx', null]);
  });

  it('keeps what is set for a model that is trained anew, and tells the two apart', async () => {
    const bench = openTab();
    await bench.drop('best.onnx 1');
    bench.tune((text, service) => setBgr(text, service, true));
    await bench.drop('best.onnx 2');
    expect(bench.config.service!.bgr).toBe(true);
    bench.tune((text, service) => setBgr(text, service, false));
    await bench.drop('best.onnx 1');
    expect(bench.config.service!.bgr).toBe(true);
    await bench.drop('best.onnx 3 pixels');
    expect(bench.config.service!.bgr).toBe(false);
    await bench.undo();
    expect([bench.config.service!.bgr, bench.onStage(), bench.other()]).toEqual([true, 'best.onnx 1', null]);
  });

  it('brings the label list of a model back, where another has one of the same name', async () => {
    const bench = openTab();
    const shown = () => bench.labels.of(bench.config.visionName!);
    const give = (...labels: string[]) =>
      bench.labels.give(bench.config.visionName!, labels, 'labels.txt', { fileName: 'labels.txt' });
    await bench.drop('a.onnx');
    give('cat', 'dog');
    await bench.drop('b.onnx');
    expect(shown()).toBeNull();
    give('nut', 'bolt', 'screw');
    await bench.drop('a.onnx');
    expect(shown()).toEqual(['cat', 'dog']);
    await bench.undo();
    expect([bench.onStage(), shown()]).toEqual(['b.onnx', ['nut', 'bolt', 'screw']]);
    await bench.redo();
    expect([bench.onStage(), shown()]).toEqual(['a.onnx', ['cat', 'dog']]);
  });

  it('takes what a fit wrote away with its model, and brings it back with it', async () => {
    const bench = openTab();
    await bench.drop('a.onnx');
    bench.tune((text, service) => setDefaultConfidence(text, service, 0.3));
    const ofA = bench.config.text;
    await bench.fit('a.fitted.onnx');
    await bench.drop('ssd.onnx');
    expect(bench.config.service).toMatchObject({ bgr: false, defaultMinimumConfidence: 0.5 });
    await bench.drop('a.fitted.onnx');
    expect(bench.exported().file).toEqual({ model_path: 'a.fitted.onnx' });
    expect(bench.config.service).toMatchObject({ bgr: true, defaultMinimumConfidence: 0.3 });
    await bench.drop('a.onnx');
    expect(bench.config.text).toBe(ofA);
  });

  it('feeds the model of a machine as it is fed there, and names a file again for the next one', async () => {
    const bench = openTab();
    await bench.drop('a.onnx');
    bench.tune((text, service) => setBgr(text, service, true));
    const source = { kind: 'live', url: 'http://m', modelName: 'theirs', key: null } as const;
    await bench.models.load(source, bench.config.visionName!);
    bench.config.edit('Model service', (text) => setModelService(text, bench.config.visionName!, 'theirs'));
    expect([bench.config.service!.bgr, bench.other()]).toEqual([false, null]);
    await bench.drop('b.onnx');
    expect(bench.exported()).toMatchObject({
      file: { model_path: 'b.onnx' },
      vision: { mlmodel_name: 'detector-model' },
    });
  });

  it('does not forget what is set for a model that is unloaded', async () => {
    const bench = openTab();
    await bench.drop('a.onnx');
    bench.tune((text, service) => setBgr(text, service, true));
    await bench.models.unload(bench.config.visionName!);
    await bench.drop('b.onnx');
    expect(bench.config.service!.bgr).toBe(false);
    await bench.drop('a.onnx');
    expect(bench.config.service!.bgr).toBe(true);
  });

  it('writes once the configuration can be read again', async () => {
    const bench = openTab();
    await bench.drop('a.onnx');
    const { text } = bench.config;
    bench.config.typeText(text.slice(0, -3));
    await bench.drop('b.onnx');
    expect(bench.config.broken).toBe(true);
    bench.config.typeText(text);
    bench.config.settle();
    bench.shelf.follow();
    expect(bench.exported().file).toEqual({ model_path: 'b.onnx' });
  });
});

describe('a configuration that a person imported', () => {
  const opened = async (text = imported(people)) => {
    const bench = openTab();
    bench.config.importText(text);
    return bench;
  };

  it('is for the model that it names, without a question', async () => {
    const bench = await opened();
    await bench.drop('people.onnx');
    expect(bench.other()).toBeNull();
    expect(bench.exported().vision).toMatchObject({ ...people, remap_input_names: { images: 'image' } });
  });

  it('is left as it is for another model, until they say what it describes', async () => {
    const bench = await opened();
    const { text } = bench.config;
    await bench.drop('yolox.onnx');
    expect(bench.config.text).toBe(text);
    expect(bench.other()).toMatchObject({ match: { meant: 'people.onnx' }, runs: 'yolox.onnx', isKept: false });

    bench.shelf.describe('v');
    expect(bench.other()).toBeNull();
    expect(bench.exported()).toMatchObject({
      file: { model_path: '/data/yolox.onnx' },
      vision: { mlmodel_name: 'm', default_minimum_confidence: 0.5, remap_input_names: { images: 'image' } },
    });
    expect(bench.config.service!.bgr).toBe(false);
    // What was imported of people.onnx is not lost with that.
    await bench.drop('people.onnx');
    expect(bench.exported()).toMatchObject({ file: { model_path: '/data/people.onnx' }, vision: people });
    await bench.drop('third.onnx');
    expect(bench.other()).toMatchObject({ match: { meant: 'people.onnx' }, runs: 'third.onnx' });
  });

  it('describes its own model again by undo, which leaves the model on the stage', async () => {
    const bench = await opened();
    await bench.drop('people.onnx');
    const { text } = bench.config;
    await bench.drop('yolox.onnx');
    bench.shelf.describe('v');
    await bench.undo();
    expect([bench.config.text, bench.onStage(), bench.other()?.runs]).toEqual([text, 'yolox.onnx', 'yolox.onnx']);
  });

  it('keeps the list that was dropped with the model, in the same undo step', async () => {
    const bench = await opened(imported(people, { model_path: '/data/people.onnx' }));
    await bench.drop('yolox.onnx');
    bench.labels.give('v', ['own0', 'own1'], 'own.labels.txt', { fileName: 'own.labels.txt' });
    const { text } = bench.config;
    bench.shelf.describe('v');
    expect(bench.exported()).toMatchObject({
      file: { model_path: '/data/yolox.onnx', label_path: '/data/own.labels.txt' },
      vision: { default_minimum_confidence: 0.5 },
    });
    expect(bench.exported().vision).not.toHaveProperty('label_confidences');
    expect(bench.labels.of('v')).toEqual(['own0', 'own1']);
    await bench.undo();
    expect([bench.config.text, bench.labels.of('v')]).toEqual([text, ['own0', 'own1']]);
    await bench.redo();
    expect(bench.labels.of('v')).toEqual(['own0', 'own1']);
  });

  it('keeps the list that was dropped where a file was named for the other model', async () => {
    const bench = await opened();
    bench.labels.give('v', ['person'], 'people.txt');
    await bench.drop('people.onnx');
    await bench.drop('yolox.onnx');
    bench.labels.give('v', ['own0'], 'own.labels.txt');
    bench.shelf.describe('v');
    expect(bench.exported().file).toEqual({ model_path: '/data/yolox.onnx', label_path: '/data/yolox.labels.txt' });
    expect(bench.labels.of('v')).toEqual(['own0']);
    await bench.drop('people.onnx');
    expect([bench.exported().file['label_path'], bench.labels.of('v')]).toEqual(['/data/people.txt', ['person']]);
  });

  it('takes the list that was dropped with the model rather than a remembered one, and that one otherwise', async () => {
    const bench = await opened(imported({}, { model_path: '/data/yolox.onnx' }));
    await bench.drop('yolox.onnx');
    bench.labels.give('v', ['old0'], 'own.labels.txt', { fileName: 'own.labels.txt' });
    bench.shelf.follow();
    const again = async (list: readonly string[] | null) => {
      bench.config.importText(imported(people, { model_path: '/data/people.onnx' }));
      await bench.drop('people.onnx');
      await bench.drop('yolox.onnx');
      if (list) bench.labels.give('v', list, 'own.labels.txt', { fileName: 'own.labels.txt' });
      bench.shelf.describe('v');
      return [bench.exported().file['label_path'], bench.labels.of('v')];
    };
    expect(await again(null)).toEqual(['/data/own.labels.txt', ['old0']]);
    expect(await again(['new0', 'new1'])).toEqual(['/data/own.labels.txt', ['new0', 'new1']]);
  });

  it('keeps what was set while it was asked, and nothing that was there before or that they said is for its own file', async () => {
    const bench = await opened();
    await bench.drop('yolox.onnx');
    bench.tune((json, service) => setDefaultConfidence(json, service, 0.9));
    bench.tune((json, service) => setLabelConfidence(json, service, 'dog', 0.4));
    bench.shelf.describe('v');
    const remap_input_names = { images: 'image' };
    const set = { mlmodel_name: 'm', default_minimum_confidence: 0.9, remap_input_names };
    expect(bench.exported().vision).toEqual({ ...set, label_confidences: { dog: 0.4 } });

    bench.config.importText(imported(people));
    await bench.drop('third.onnx');
    bench.shelf.keep('v');
    bench.tune((json, service) => setDefaultConfidence(json, service, 0.8));
    bench.shelf.follow();
    bench.shelf.describe('v');
    expect(bench.exported().vision).toEqual({ mlmodel_name: 'm', default_minimum_confidence: 0.5, remap_input_names });
  });

  it('keeps nothing of what was written for a third model', async () => {
    const bench = await opened(imported({ default_minimum_confidence: 0.2 }));
    await bench.drop('yolox.onnx');
    bench.tune((json, service) =>
      setBgr(setModelFile(json, service, 'viam:mlmodel:onnx-cpu', '/data/cars.onnx'), service, true),
    );
    bench.shelf.follow();
    bench.tune((json, service) => setDefaultConfidence(json, service, 0.9));
    bench.shelf.describe('v');
    const { input_image_bgr, default_minimum_confidence } = bench.exported().vision;
    expect([input_image_bgr, default_minimum_confidence]).toEqual([undefined, 0.9]);
  });

  it('keeps what was set since it was imported beside the model on the stage', async () => {
    const bench = await opened();
    await bench.drop('people.onnx');
    await bench.drop('yolox.onnx');
    bench.config.importText(imported({ ...people, input_image_std_dev: [4, 5, 6] }));
    bench.shelf.follow();
    bench.labels.give('v', ['own0'], 'own.txt');
    bench.shelf.follow();
    bench.shelf.describe('v');
    expect(bench.labels.of('v')).toEqual(['own0']);
    expect(bench.exported().vision).not.toHaveProperty('input_image_std_dev');
  });

  it('names the file of a model that was set where no file was named', async () => {
    const bench = await opened(imported({}, {}));
    await bench.drop('a.onnx');
    expect(bench.shelf.recordOf('a.onnx')!.settings!.file!.attributes).toEqual({});
    bench.config.importText(imported());
    await bench.drop('a.onnx');
    bench.shelf.describe('v');
    expect(bench.exported().file).toEqual({ model_path: '/data/a.onnx' });
  });

  it('names no file in a module that may read it from elsewhere', async () => {
    const triton = imported({ remap_input_names: { pixels: 'image' } }, {}).replace(
      'viam:mlmodel:onnx-cpu',
      'acme:ml:triton',
    );
    const bench = await opened(triton);
    await bench.drop('a.onnx');
    expect(bench.other()).not.toBeNull();
    bench.shelf.describe('v');
    expect(bench.exported()).toMatchObject({ module: 'acme:ml:triton', file: {} });
    expect(bench.exported().file).toEqual({});
  });

  it('is asked about no longer once undo is pressed, which leaves the step before', async () => {
    const bench = await opened();
    bench.tune((json, service) => setDefaultConfidence(json, service, 0.9));
    await bench.drop('yolox.onnx');
    const { text } = bench.config;
    expect(bench.shelf.closeQuestion()).toBe(true);
    expect([bench.config.text, bench.other()?.isKept]).toEqual([text, true]);
    expect(bench.shelf.closeQuestion()).toBe(false); // the next undo takes back the threshold
  });

  it('is still asked about where undo is for what was tuned meanwhile', async () => {
    const bench = await opened();
    await bench.drop('yolox.onnx');
    bench.tune((json, service) => setDefaultConfidence(json, service, 0.9));
    expect(bench.shelf.closeQuestion()).toBe(false);
    expect(bench.other()?.isKept).toBe(false);
  });

  it('stays with its own file where they say so, and says it', async () => {
    const bench = await opened();
    await bench.drop('yolox.onnx');
    const { text } = bench.config;
    bench.shelf.keep('v');
    expect([bench.config.text, bench.other()?.isKept]).toEqual([text, true]);
    expect(bench.shelf.described.meantBy('v')).toEqual({ path: '/data/people.onnx', sha256: 'yolox.onnx' });
    // What is tuned now is written for people.onnx: it is not what is set for yolox.onnx.
    bench.tune((json, service) => setDefaultConfidence(json, service, 0.9));
    bench.shelf.follow();
    expect(bench.shelf.recordOf('yolox.onnx')!.settings).toBeNull();
    await bench.drop('third.onnx');
    expect(bench.other()).toMatchObject({ runs: 'third.onnx', isKept: false });
    await bench.drop('people.onnx');
    expect(bench.other()).toBeNull();
  });

  it('is swapped without a question after a fit, and asks again with its own model', async () => {
    const bench = await opened();
    await bench.drop('people.onnx');
    await bench.fit('people.fitted.onnx');
    await bench.drop('ssd.onnx');
    expect([bench.other(), bench.config.service!.bgr]).toEqual([null, false]);
    await bench.drop('people.onnx');
    expect(bench.exported()).toMatchObject({ file: { model_path: '/data/people.onnx' }, vision: people });
    await bench.drop('ssd.onnx');
    expect(bench.other()).toMatchObject({ runs: 'ssd.onnx', atHand: { fileName: 'people.onnx' } });
  });

  it('is for the model on the stage after the names of its tensors were written', async () => {
    const bench = await opened(imported({}, {}));
    await bench.drop('a.onnx');
    await bench.drop('b.onnx 1 pixels');
    expect(bench.exported().vision).toEqual({ mlmodel_name: 'm', remap_input_names: { pixels: 'image' } });
  });

  it('names no file in a package that does not hold it', async () => {
    const bench = await opened(imported({}, { model_path: '${packages.ml_model.people}/people.tflite' }));
    await bench.drop('yolox.onnx');
    bench.shelf.describe('v');
    expect(bench.exported()).toMatchObject({ module: 'viam:mlmodel:onnx-cpu', file: { model_path: 'yolox.onnx' } });
  });
});

describe('the shelf', () => {
  it('survives a reload, and a new tab begins with what another tab knew', async () => {
    const here = browser();
    const first = openTab(here);
    await first.drop('a.onnx');
    first.tune((text, service) => setBgr(text, service, true));
    await first.drop('b.onnx');
    first.close();
    const again = openTab(here, first.tab);
    await again.models.loadFirst(again.config.visionName!);
    expect([again.onStage(), again.other()]).toEqual(['b.onnx', null]);
    await again.drop('a.onnx');
    expect(again.config.service!.bgr).toBe(true);
    const second = openTab(here);
    second.config.reset();
    await second.drop('a.onnx');
    expect(second.config.service!.bgr).toBe(true);
  });

  it('is not changed in one tab by what another sets', async () => {
    const here = browser();
    const first = openTab(here);
    await first.drop('a.onnx');
    first.tune((text, service) => setDefaultConfidence(text, service, 0.7));
    await first.drop('b.onnx');
    const second = openTab(here);
    await second.drop('a.onnx');
    second.tune((text, service) => setDefaultConfidence(text, service, 0.2));
    await second.drop('b.onnx');
    await first.drop('a.onnx');
    expect(first.config.service!.defaultMinimumConfidence).toBe(0.7);
  });

  it('forgets a model with all that was set for it', async () => {
    const bench = openTab();
    await bench.drop('a.onnx');
    bench.tune((text, service) => setBgr(text, service, true));
    await bench.drop('b.onnx');
    await bench.shelf.forget('a.onnx');
    expect(bench.models.stored.map(({ sha256 }) => sha256)).toEqual(['b.onnx']);
    await bench.drop('a.onnx');
    expect(bench.config.service!.bgr).toBe(false);
  });
});

it('writes nothing into a configuration that cannot be read, or that lacks the service a model was opened for', async () => {
  const tab = openTab();
  tab.config.importText(imported());
  tab.config.typeText('{ "services": [');
  await tab.drop('yolox.onnx 1');
  const { text } = tab.config;
  tab.shelf.describe(tab.config.visionName!);
  expect(tab.config.text).toBe(text);
  tab.config.importText(sampleConfigText);
  expect(() => tab.shelf.follow()).not.toThrow();
  expect(tab.config.text).toBe(sampleConfigText);
});
