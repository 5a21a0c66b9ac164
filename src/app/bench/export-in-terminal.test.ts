import { expect, it } from 'vitest';
import { describeLoaded, fedDetector, type ModelBytes } from '../../../tests/fed-detectors.ts';
import { memoryStorage } from '../../../tests/memory-storage.ts';
import { diceOf, type Dice } from '../../../tests/oracle/cases/dice.ts';
import { terminalBoxes } from '../../../tests/terminal-boxes.ts';
import type { VisionClient } from '../../../workers/vision/client/vision-client.ts';
import { listEntries } from '../../machine/config/parse/config-entries.ts';
import { describesModel } from '../../machine/config/describes-model.ts';
import * as edits from '../../machine/config/edit/edit-config.ts';
import { changedResources, exportWhole } from '../../machine/config/share/export-config.ts';
import { writeFitted } from '../../machine/config/edit/fit-edit.ts';
import { parseDocument } from '../../machine/config/json/json-document.ts';
import { modelPathOf } from '../../machine/config/parse/label-file.ts';
import type { ModelSource } from '../../platform/ports/model-source.ts';
import { openTabMemory } from '../kit/memory/remembered.ts';
import { ConfigState } from './config/config-state.svelte.ts';
import { ConfigStore } from './config/config-store.ts';
import { InterpretationsState } from './models/interpretations-state.svelte.ts';
import { LabelFiles } from './config/label-files.svelte.ts';
import { LabelsState } from './models/labels-state.svelte.ts';
import { ModelShelf } from './models/model-shelf.svelte.ts';
import { ModelsState } from './models/models-state.svelte.ts';

/**
 * Whatever a person does on a bench, in whatever order: its export gives in a terminal, with the model on the stage, the boxes on
 * the stage, and names that model, or the bench says that it does not. Each night it is `SEQUENCES=2000`.
 */
const sequences = Number(process.env['SEQUENCES'] ?? 8);
const stepsEach = 10;

const samples = Uint8ClampedArray.from({ length: 4 * 8 * 4 }, (_, at) => [200 - at, 40 + at, 90, 255][at % 4]!);
const { inTerminal, onStage } = terminalBoxes({ format: 'rgba8', widthPx: 8, heightPx: 4, samples });

const builtin = {
  fileName: 'face-detector.onnx',
  bytes: fedDetector({ edition: 2, names: "{0: 'face', 1: 'b', 2: 'c'}" }),
};
const fitted = { fileName: 'people.fitted.onnx', bytes: fedDetector({ edition: 2, input: { dtype: 'uint8' } }) };
const people = { fileName: 'people.onnx', bytes: fedDetector() };
const files: readonly ModelBytes[] = [
  people,
  fitted,
  { fileName: 'bytes.onnx', bytes: fedDetector({ input: { dtype: 'uint8' } }) },
  { fileName: 'other.onnx', bytes: fedDetector({ outputs: ['dets', 'labels', 'confs'], input: { name: 'images' } }) },
  { fileName: 'best.onnx', bytes: fedDetector({ names: "{0: 'lion', 1: 'wolf', 2: 'bear'}" }) },
  { fileName: 'best.onnx', bytes: fedDetector({ edition: 2 }) },
];

function importable(attributes: object, file: object): string {
  const services = [
    { name: 'm', api: 'rdk:service:mlmodel', model: 'viam:mlmodel:onnx-cpu', attributes: file },
    { name: 'v', api: 'rdk:service:vision', model: 'mlmodel', attributes: { mlmodel_name: 'm', ...attributes } },
  ];
  return JSON.stringify({ components: [], services, notes: null }, null, '\t').replace(
    '"notes": null',
    '"notes" :[ 1.0e1]',
  );
}
const remaps = {
  remap_input_names: { images: 'image' },
  remap_output_names: { dets: 'location', labels: 'category', confs: 'score' },
};
const imports: readonly string[] = [
  importable(
    { input_image_bgr: true, default_minimum_confidence: 0.2, label_confidences: { 0: 0.1, ant: 0.05 } },
    { model_path: '/data/people.onnx', label_path: '/data/people.labels.txt' },
  ),
  importable(
    { input_image_mean_value: [0, 0, 0], input_image_std_dev: [1, 1, 1] },
    { model_path: '${packages.ml_model.best}/best.onnx' },
  ),
  importable(remaps, { model_path: 'other.onnx' }),
  importable({ default_minimum_confidence: 0.15 }, {}),
  '{ // a comment, which the machine refuses\n "components": [], "services": [] }',
];

interface Browser {
  readonly shared: ReturnType<typeof memoryStorage>;
  /** by hash */
  readonly stored: Map<string, ModelBytes>;
}

function openTab({ shared, stored }: Browser, storage: ReturnType<typeof memoryStorage>) {
  const memory = openTabMemory(storage, shared);
  const opened = new Map<string, ModelBytes>();
  const client: Partial<VisionClient> = {
    onBackendDecided: () => () => {},
    onModelLost: () => () => {},
    unloadModel: async () => {},
    storedModels: async () =>
      [...stored].map(([sha256, { fileName, bytes }]) => ({
        sha256,
        fileName,
        byteLength: bytes.length,
        storedAtMs: 0,
      })),
    async loadModel(source) {
      const file = await fileOf(source, stored);
      const model = describeLoaded(file, source.kind !== 'builtin');
      if (model.stored) stored.set(model.sha256, file);
      opened.set(model.sha256, file);
      return model;
    },
  };
  const store = new ConfigStore(memory);
  const config = new ConfigState({ store, labelFiles: new LabelFiles(memory) });
  const models: ModelsState = new ModelsState(client as VisionClient, memory, {
    pathOf: (service) => modelPathOf(config.parsed.entries, service),
    onLeaving: (service) => shelf.leaving(service),
    onLoaded: (service) => shelf.opened(service),
    onEntered: (service) => shelf.entered(service),
  });
  const labels = new LabelsState(config, models);
  const interpretations = new InterpretationsState(config, models, {} as VisionClient);
  const shelf: ModelShelf = new ModelShelf({ config, models, labels, interpretations }, memory);
  let { importedText } = config;
  return {
    config,
    models,
    labels,
    shelf,
    opened,
    service: () => config.visionName ?? '',
    close: () => store.flush(),
    /** Undo brings a model by itself. Then models are assigned again, and the shelf keeps what is set, as effects of the bench. */
    async follow(): Promise<void> {
      await this.loaded();
      models.reassign(this.service(), config.visionNames, config.importedText !== importedText);
      importedText = config.importedText;
      await this.loaded();
      shelf.follow();
      await this.loaded();
    },
    async loaded(): Promise<void> {
      do await new Promise((resolve) => setTimeout(resolve));
      while (models.loading);
    },
  };
}
type Tab = ReturnType<typeof openTab>;

async function fileOf(
  source: Parameters<VisionClient['loadModel']>[0],
  stored: Browser['stored'],
): Promise<ModelBytes> {
  if (source.kind === 'builtin') return builtin;
  if (source.kind === 'file')
    return { fileName: source.file.name, bytes: new Uint8Array(await source.file.arrayBuffer()) };
  const kept = source.kind === 'stored' ? stored.get(source.sha256) : undefined;
  if (!kept) throw new Error('It is not stored.');
  return kept;
}

const sourceOf = ({ fileName, bytes }: ModelBytes): ModelSource => ({
  kind: 'file',
  file: new File([bytes], fileName),
});

/** A fit replaces the model on the stage, as the dialog does. */
async function fit({ config, models }: Tab, service: string): Promise<void> {
  const before = models.of(service);
  const source = before && models.sourceOf(before.modelId);
  if (!source || config.broken) return;
  const file = { name: 'm', api: '', model: 'viam:mlmodel:onnx-cpu', attributes: { model_path: fitted.fileName } };
  const vision = {
    name: 'v',
    api: '',
    model: 'mlmodel',
    attributes: { input_image_bgr: true, default_minimum_confidence: 0.25 },
  };
  const target = { vision: service, modelFile: fitted.fileName, labelFile: null, labels: null };
  const beside = {
    undo: () => void models.swap(source, service),
    redo: () => void models.swap(sourceOf(fitted), service),
  };
  await models.swap(sourceOf(fitted), service, () =>
    config.edit('Machine-ready', (text) => writeFitted(text, { services: [file, vision] }, target), { beside }),
  );
}

type Operation = (tab: Tab, service: string, dice: Dice) => unknown;
const tuning =
  (change: (text: string, service: string, dice: Dice) => string): Operation =>
  ({ config }, service, dice) =>
    config.visionNames.includes(service) && config.edit('Tuning', (text) => change(text, service, dice));
const threshold = (dice: Dice): number => dice.pick([0.05, 0.1, 0.2, 0.3, 0.5, 0.7]);

const operations: Readonly<Record<string, Operation>> = {
  open: ({ models }, service, dice) => models.load(sourceOf(dice.pick(files)), service),
  'open the built-in one': ({ models }, service) => models.load({ kind: 'builtin', id: 'face-detector' }, service),
  swap: ({ models, opened }, service, dice) =>
    models.load({ kind: 'stored', sha256: dice.pick([...opened.keys(), 'gone']) }, service),
  fit: (tab, service) => fit(tab, service),
  'threshold of a label': tuning((text, service, dice) =>
    edits.setLabelConfidence(text, service, dice.pick(['0', '1', 'ant', 'lion', 'face']), threshold(dice)),
  ),
  'thresholds of all labels': tuning((text, service, dice) =>
    edits.setAllLabelConfidences(text, service, dice.pick([{}, { 0: 0.1, 1: 0.1, ant: 0.1 }])),
  ),
  'default threshold': tuning((text, service, dice) => edits.setDefaultConfidence(text, service, threshold(dice))),
  colours: tuning((text, service, dice) => edits.setBgr(text, service, dice.chance(0.5))),
  deviation: tuning((text, service) => edits.setMeanStd(text, service, [0, 0, 0], [1, 1, 1])),
  'box order': tuning((text, service, dice) => edits.setBoxOrder(text, service, dice.pick([null, [0, 1, 2, 3]]))),
  labels: ({ labels }, service) => labels.give(service, ['ant', 'bee', 'cow'], 'zoo.txt'),
  'labels of the file': ({ labels }, service) => labels.useOffered(service),
  numbers: ({ config, labels }, service) => config.visionNames.includes(service) && labels.useNumbers(service),
  import: ({ config }, _, dice) => config.importText(dice.pick(imports)),
  'back to a readable one': ({ config }) => config.backToReadable(),
  undo: ({ config }) => config.undo(),
  redo: ({ config }) => config.redo(),
  'undo and redo at once': async ({ config }) => {
    config.undo();
    await Promise.resolve();
    config.redo();
  },
  'describe this one': ({ shelf }, service) => shelf.describe(service),
  keep: ({ shelf }, service) => shelf.keep(service),
};

/** Compares what the stage shows with what a terminal makes of the export; null: nothing is on the stage. */
async function boxesOf({ config, models, labels, opened, shelf }: Tab, service: string, way: string) {
  const model = models.of(service);
  if (!model || config.broken || !config.visionNames.includes(service)) return null;
  const tuned = [...changedResources(config.importedText, config.text), service];
  const { text } = exportWhole(config.text, { tuned });
  const asked = { service, model: opened.get(model.sha256)!, labels: labels.byService[service] ?? null };
  const shown = await onStage(config.config, asked);
  expect(await inTerminal(text, asked), way).toEqual(shown);
  const match = describesModel(listEntries(parseDocument(text)), service, model);
  if (match.says === 'differs' && match.by === 'file-name')
    expect(
      shelf.described.otherOf(service),
      `${way} it names ${match.meant}, and ${model.fileName} runs`,
    ).not.toBeNull();
  return shown;
}

it(
  'exports what gives the boxes on the stage in a terminal, whatever was done before',
  { timeout: 3_600_000 },
  async () => {
    const seen: (string | readonly string[])[] = [];
    for (let sequence = 0; sequence < sequences; sequence++) {
      const dice = diceOf(38, sequence);
      const browser: Browser = { shared: memoryStorage(), stored: new Map() };
      const storages = [memoryStorage(), memoryStorage()];
      const tabs = storages.map((storage) => openTab(browser, storage));
      for (const tab of tabs) await tab.models.loadFirst(tab.service());
      let at = 0;
      let way = `sequence ${sequence}:`;
      for (let step = 0; step < stepsEach; step++) {
        const name = dice.pick(['open', 'open', 'import', 'reload', 'the other tab', ...Object.keys(operations)]);
        way += ` ${name},`;
        if (name === 'the other tab') at = 1 - at;
        if (name === 'reload') {
          tabs[at]!.close();
          tabs[at] = openTab(browser, storages[at]!);
          await tabs[at]!.models.loadFirst(tabs[at]!.service());
        }
        const tab = tabs[at]!;
        const before = tab.config.text;
        await operations[name]?.(tab, tab.service(), dice);
        if (name === 'import') expect([before, ...imports], way).toContain(tab.config.text);
        await tab.follow();
        const boxes = await boxesOf(tab, tab.service(), way);
        if (boxes !== null) seen.push(boxes);
      }
    }
    expect(seen.length).toBeGreaterThan(sequences * stepsEach * 0.5);
    expect(seen.filter((boxes) => Array.isArray(boxes) && boxes.length > 0).length).toBeGreaterThan(seen.length * 0.5);
  },
);
