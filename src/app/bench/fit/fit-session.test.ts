import { flushSync } from 'svelte';
import { describe, expect, it, vi } from 'vitest';
import type {
  DecodingAlone,
  FitClient,
  FitProgress,
  FitReport,
  FitWish,
  ModelRecognition,
  OptionSpec,
} from '../../../../workers/fit/client.ts';
import type { VisionClient } from '../../../../workers/vision/client/vision-client.ts';
import type { DecodingTrial, TriedDecoding } from '../../../../workers/vision/protocol.ts';
import type { ModelSource } from '../../../platform/ports/model-source.ts';
import { ConfigState } from '../config/config-state.svelte.ts';
import { LabelsState } from '../models/labels-state.svelte.ts';
import { ModelsState } from '../models/models-state.svelte.ts';
import { openMemory } from '../../kit/memory/remembered.ts';
import { FitSession } from './fit-session.svelte.ts';
import { FitState } from './fit-state.svelte.ts';
import { recognitionWords } from './fit-words.ts';
import { optionWords, usualWords } from './option-words.ts';

const family: ModelRecognition = {
  kind: 'family',
  id: 'yolo-v8',
  name: 'YOLOv8',
  result: 'detections',
  feeding: { source: 'family', guess: null, familyName: 'YOLOv8', bgr: false, range: null },
  evidence: ['It has columns.'],
  classCount: 2,
  size: { widthPx: 64, heightPx: 64 },
};
const threshold: OptionSpec = {
  kind: 'number',
  key: 'iouThreshold',
  about: 'Overlap.',
  least: 0,
  most: 1,
  whole: false,
  usual: 0.7,
};

function reportOf({ family: asked, options, labels }: FitWish): FitReport {
  return {
    format: 'onnx',
    kind: 'detections',
    family: { id: asked ?? 'yolo-v8', name: asked ?? 'YOLOv8' },
    evidence: ['It has columns.'],
    otherFamilies: [],
    added: ['decoding'],
    optionSpecs: [threshold],
    options: { iouThreshold: 0.7, ...options },
    preprocessing: { colour: 'rgb', mean: [0, 0, 0], stdDev: [1, 1, 1], letterbox: null },
    inputSize: { widthPx: 64, heightPx: 64 },
    labels: labels ?? null,
    configuration: {
      services: [
        {
          name: 'm',
          api: 'rdk:service:mlmodel',
          model: 'viam:mlmodel:onnx-cpu',
          attributes: { model_path: 'net.fitted.onnx' },
        },
        {
          name: 'v',
          api: 'rdk:service:vision',
          model: 'mlmodel',
          attributes: { mlmodel_name: 'm', input_image_bgr: true, default_minimum_confidence: 0.25 },
        },
      ],
    },
    byteLength: 3,
    names: { model: 'net.fitted.onnx', labels: 'net.fitted.labels.txt', machine: 'net.fitted.machine.json' },
    findings: [],
    feedingGuess: null,
    stretching: null,
    otherChoices: [{ key: 'boxUnit', value: 'proportional' }],
  };
}

const alone: DecodingAlone = {
  model: new Uint8Array(1),
  reads: ['out'],
  size: { widthPx: 64, heightPx: 32 },
  isPadded: false,
  preprocessing: { colour: 'bgr', mean: [0, 0, 0], stdDev: [1, 1, 1], letterbox: null },
};

/** A worker that keeps each wish until the test answers it. */
function fakeFitter() {
  const wishes: { readonly wish: FitWish; answer(error?: Error): void; tell(progress: FitProgress): void }[] = [];
  const client: FitClient = {
    recognise: () => Promise.resolve(family),
    fit: (_, wish, tell) =>
      new Promise((resolve, reject) => {
        wishes.push({ wish, tell, answer: (error) => (error ? reject(error) : resolve(reportOf(wish))) });
      }),
    decoding: (_, { options }) => Promise.resolve({ ...alone, isPadded: options?.['letterbox'] === 'pad' }),
    feedingTrial: vi.fn(() => Promise.reject(new Error('Not asked.'))),
    fittedModel: () => Promise.resolve(new Blob([new Uint8Array([1, 2, 3])])),
    archive: () => Promise.resolve(new Blob(['zip'])),
    end: vi.fn(),
  };
  return { client, wishes };
}

const nameOf = (source: ModelSource) => (source.kind === 'file' ? source.file.name : 'net.onnx');
const described = (fileName: string) => ({
  modelId: fileName,
  sha256: fileName,
  fileName,
  byteLength: 1,
  inputs: [],
  outputs: [],
  format: { name: 'onnx', irVersion: 8, opsets: { '': 17 } },
  labels: null,
  boxOrder: null,
});

const triedOf = ({ input }: DecodingTrial): TriedDecoding => ({
  picture: { close: vi.fn() } as unknown as ImageBitmap,
  boxes: [{ box: [0, 0, 1, 1], score: 0.5, label: input.fit }],
  verdict: { kind: 'plausible', seen: [], notes: [] },
});

async function bench() {
  const vision = {
    onBackendDecided: () => () => undefined,
    onModelLost: () => () => undefined,
    loadModel: (source: ModelSource) => Promise.resolve(described(nameOf(source))),
    unloadModel: () => Promise.resolve(),
    storedModels: () => Promise.resolve([]),
    tryDecoding: vi.fn((trial: DecodingTrial) => Promise.resolve(triedOf(trial))),
  } as unknown as VisionClient;
  const memory = openMemory(() => {
    throw new Error('none');
  });
  const config = new ConfigState();
  const models = new ModelsState(vision, memory);
  const labels = new LabelsState(config, models);
  const results = { seenSize: { widthPx: 640, heightPx: 360, step: -1 } };
  const place = { config, models, labels, results, serviceName: 'detector', vision };
  const source: ModelSource = { kind: 'url', url: 'https://example.org/net.onnx' };
  await models.load(source, 'detector');
  return { ...place, place, source: { modelId: 'net.onnx', fileName: 'net.onnx', source } };
}

const settled = () => new Promise((resolve) => setTimeout(resolve));

describe('fitting a model', () => {
  it('begins by itself, and shows what came of it', async () => {
    const { place, source } = await bench();
    const { client, wishes } = fakeFitter();
    const session = new FitSession(place, client, source, family);
    await settled();
    const frameSize = { widthPx: 640, heightPx: 360 };
    expect(wishes[0]!.wish).toEqual({
      family: null,
      options: {},
      labels: null,
      inputSize: null,
      frameSize,
      feedingFound: null,
    });
    wishes[0]!.tell({ phase: 'reading', fraction: 0.5 });
    expect(session.phase).toEqual({ kind: 'working', progress: { phase: 'reading', fraction: 0.5 } });
    wishes[0]!.answer();
    await settled();
    wishes[0]!.tell({ phase: 'judging', fraction: null });
    expect(session.phase.kind).toBe('ready');
    expect(session.families.map(({ id }) => id)).toEqual(['yolo-v8', 'guided']);
  });

  it('sets beforehand what its caller knows, once, where the family has such an option', async () => {
    const { place, source } = await bench();
    const { client, wishes } = fakeFitter();
    const preset = { iouThreshold: 0.4, activation: 'sigmoid' };
    const session = new FitSession(place, client, source, family, { options: preset });
    await settled();
    wishes[0]!.answer();
    await settled();
    expect(session.phase.kind).toBe('working');
    expect(wishes.map(({ wish }) => wish.options)).toEqual([{}, { iouThreshold: 0.4 }]);
    wishes[1]!.answer();
    await settled();
    expect([session.phase.kind, session.report?.options]).toEqual(['ready', { iouThreshold: 0.4 }]);
    session.chooseOption('iouThreshold', 0.9);
    await settled();
    wishes[2]!.answer();
    await settled();
    expect([wishes.length, session.report?.options]).toEqual([3, { iouThreshold: 0.9 }]);
  });

  it('writes a model that fits once more where only a border is wanted, and takes it once that is done', async () => {
    const { place, source, config } = await bench();
    const { client, wishes } = fakeFitter();
    const session = new FitSession(place, client, source, { kind: 'fits' }, { options: { letterbox: 'pad' } });
    const using = session.use();
    await settled();
    expect(wishes[0]!.wish).toMatchObject({ family: 'fitted', frameSize: { widthPx: 640, heightPx: 360 } });
    wishes[0]!.answer();
    expect(await using).toBe(true);
    expect(config.undoLabel).toBe('Make net.onnx machine-ready');
  });

  it('writes what the caller knows of its feeding, and into the configuration what goes with it, in one step', async () => {
    const { place, source, config } = await bench();
    const { client, wishes } = fakeFitter();
    const feedingFound = { preprocessing: { colour: 'bgr', mean: [0, 0, 0], stdDev: [1, 1, 1] }, why: 'Frames say so.', isSure: true } as const; // prettier-ignore
    const inputSize = { widthPx: 96, heightPx: 96 };
    const also = (edit: { text: string }) => ({ ...edit, disabled: [], text: edit.text.replace('{', '{ "also": 1,') });
    const choice = { family: 'yolox', feedingFound, inputSize, also };
    const session = new FitSession(place, client, source, family, choice);
    const using = session.use();
    await settled();
    expect(wishes[0]!.wish).toMatchObject({ family: 'yolox', feedingFound, inputSize });
    wishes[0]!.answer();
    expect(await using).toBe(true);
    expect(JSON.parse(config.text)).toMatchObject({ also: 1 });
    config.undo();
    expect(JSON.parse(config.text)).not.toHaveProperty('also');
  });

  it('runs what was chosen last, and only that', async () => {
    const { place, source } = await bench();
    const { client, wishes } = fakeFitter();
    const session = new FitSession(place, client, source, family);
    await settled();
    session.chooseOption('iouThreshold', 0.5);
    session.chooseFamily('yolox');
    session.giveLabels('pets.txt', ['cat', 'dog']);
    wishes[0]!.answer();
    await settled();
    expect(session.phase.kind).toBe('working');
    expect(wishes.map(({ wish }) => wish.family)).toEqual([null, 'yolox']);
    expect(wishes[1]!.wish.labels).toEqual(['cat', 'dog']);
    wishes[1]!.answer();
    await settled();
    expect(session.report?.family.id).toBe('yolox');
  });

  it.each([
    [2, ['cat', 'dog'], 'bench'],
    [2, ['cat'], 'model'],
    [0, ['cat', 'dog', 'cow'], 'bench'],
    [0, ['face'], 'model'],
  ])(
    'of %i classes (0: not said), with the labels %j on the bench, takes those of the %s',
    async (classCount, labels, from) => {
      const { place, source } = await bench();
      place.labels.give('detector', labels, 'pets.txt');
      const { client } = fakeFitter();
      const session = new FitSession(place, client, source, { ...family, classCount });
      expect(session.labelChoice).toBe(from);
      await settled();
    },
  );

  it.each([
    [80, 'net.onnx', null, 'usual', 80],
    [80, 'net.onnx', ['cat', 'dog'], 'usual', 80],
    [80, 'net.onnx', Array.from({ length: 80 }, (_, at) => `thing ${at}`), 'bench', 80],
    [0, 'deim_coco.onnx', null, 'usual', 80],
    [0, 'net.onnx', null, 'model', 80],
    [1, 'light_person.onnx', null, 'usual', 1],
    [2, 'net.onnx', null, 'model', undefined],
  ] as const)(
    'of %i classes, called %s, with the labels %j on the bench, takes the %s names of %s',
    async (classCount, fileName, benchLabels, choice, usualCount) => {
      const { place, source } = await bench();
      if (benchLabels) place.labels.give('detector', benchLabels, 'pets.txt');
      const { client, wishes } = fakeFitter();
      const session = new FitSession(place, client, { ...source, fileName }, { ...family, classCount });
      await settled();
      expect([session.labelChoice, session.usual?.names.length]).toEqual([choice, usualCount]);
      if (choice === 'usual') expect(wishes[0]!.wish.labels).toContain('person');
    },
  );

  it('has no usual names for a classifier, and offers some to a model of which nothing is known', async () => {
    const { place, source } = await bench();
    const given = (recognition: ModelRecognition) => new FitSession(place, fakeFitter().client, source, recognition);
    expect(given({ ...family, result: 'classifications', classCount: 80 }).usual).toBeNull();
    const unknown = given({ kind: 'unknown', seen: 'Nothing.' });
    expect([unknown.usual?.names.length, unknown.labelChoice]).toEqual([80, 'model']);
    await settled();
  });

  it('keeps what was chosen of each family', async () => {
    const { place, source } = await bench();
    const { client, wishes } = fakeFitter();
    const session = new FitSession(place, client, source, family);
    const answerLast = async () => {
      await settled();
      wishes.at(-1)!.answer();
      await settled();
    };
    await answerLast();
    session.chooseOption('iouThreshold', 0.5);
    await answerLast();
    session.chooseFamily('guided');
    await answerLast();
    expect(wishes.at(-1)!.wish.options).toEqual({});
    session.chooseFamily('yolo-v8');
    await answerLast();
    expect(wishes.at(-1)!.wish.options).toEqual({ iouThreshold: 0.5 });
  });

  it('keeps the form where a choice was refused, and has a picture of what was written last', async () => {
    const { place, source } = await bench();
    const { client, wishes } = fakeFitter();
    const session = new FitSession(place, client, source, { kind: 'unknown', seen: 'Nothing.' });
    await expect.poll(() => wishes.length).toBe(1);
    expect(session.form).toBeNull();
    wishes[0]!.answer();
    await expect.poll(() => session.picture.tried).not.toBeNull();
    expect(vi.mocked(place.vision.tryDecoding).mock.lastCall).toEqual([
      {
        decoding: alone.model,
        reads: ['out'],
        widthPx: 64,
        heightPx: 32,
        labels: null,
        input: { bgr: true, meanValue: [0, 0, 0], stdDev: [1, 1, 1], fit: 'stretch' },
      },
      expect.any(AbortSignal),
    ]);
    session.chooseOption('letterbox', 'pad');
    await expect.poll(() => wishes.length).toBe(2);
    const first = session.picture.tried!;
    wishes[1]!.answer();
    await expect.poll(() => session.picture.tried?.boxes[0]?.label).toBe('letterbox');
    expect(vi.mocked(first.picture.close)).toHaveBeenCalledOnce();
    session.chooseOption('iouThreshold', 7);
    await expect.poll(() => wishes.length).toBe(3);
    wishes[2]!.answer(Object.assign(new Error('At most 1.'), { code: 'bad-option' }));
    await expect.poll(() => session.phase.kind).toBe('failed');
    expect(session.form).toEqual({ specs: [threshold], values: { iouThreshold: 7, letterbox: 'pad' } });
    expect([session.picture.tried, session.picture.said]).toEqual([null, '']);
    session.chooseFamily('yolo-v8');
    await expect.poll(() => wishes.length).toBe(4);
    expect(session.form).toBeNull();
    wishes[3]!.answer();
    await expect.poll(() => session.form?.values).toEqual({ iouThreshold: 0.7 });
    await expect.poll(() => session.picture.tried).not.toBeNull();
  });

  it('tries other choices where the boxes of a known family cannot be right, and takes one that a person picks', async () => {
    const { place, source } = await bench();
    const { client, wishes } = fakeFitter();
    const read = vi.spyOn(client, 'decoding');
    const tried = { ...triedOf({ input: { fit: 'stretch' } } as DecodingTrial) };
    const refused = { ...tried, verdict: { kind: 'refused' as const, seen: ['All outside.'], notes: [] } };
    vi.mocked(place.vision.tryDecoding).mockResolvedValueOnce(refused).mockResolvedValueOnce(tried);
    const session = new FitSession(place, client, source, family);
    await expect.poll(() => wishes.length).toBe(1);
    wishes[0]!.answer();
    await expect
      .poll(() => session.picture.better)
      .toEqual([{ key: 'boxUnit', value: 'proportional', boxCount: 1, bestScore: 0.5 }]);
    expect(read.mock.lastCall![1]).toMatchObject({ family: 'yolo-v8', options: { boxUnit: 'proportional' } });
    expect(session.picture.isDoubtful).toBe(true);
    session.chooseOption('boxUnit', 'proportional');
    await expect.poll(() => wishes.length).toBe(2);
    wishes[1]!.answer();
    await expect.poll(() => session.picture.isDoubtful).toBe(false);
    expect(session.picture.better).toEqual([]);
  });

  it('says why there is no picture', async () => {
    const { place, source } = await bench();
    const { client, wishes } = fakeFitter();
    vi.mocked(place.vision.tryDecoding).mockResolvedValueOnce(null).mockRejectedValueOnce(new Error('It stopped.'));
    const session = new FitSession(place, client, source, { kind: 'unknown', seen: 'Nothing.' });
    await expect.poll(() => wishes.length).toBe(1);
    wishes[0]!.answer();
    await expect.poll(() => session.picture.said).toBe('There is no frame on the stage to see them on.');
    session.chooseOption('iouThreshold', 0.5);
    await expect.poll(() => wishes.length).toBe(2);
    wishes[1]!.answer();
    await expect.poll(() => session.picture.said).toBe('No boxes: It stopped.');
  });

  it('says why it failed, can be given up, and tried again', async () => {
    const { place, source } = await bench();
    const { client, wishes } = fakeFitter();
    const session = new FitSession(place, client, source, { kind: 'unknown', seen: 'Nothing.' });
    await settled();
    expect(wishes[0]!.wish.family).toBe('guided');
    wishes[0]!.answer(Object.assign(new Error('Give the size.'), { code: 'size-unknown' }));
    await settled();
    expect(session.phase).toEqual({ kind: 'failed', message: 'Give the size.', code: 'size-unknown' });
    session.chooseSize({ widthPx: 480, heightPx: 320 });
    await settled();
    expect(wishes[1]!.wish.inputSize).toEqual({ widthPx: 480, heightPx: 320 });
    session.cancel();
    expect(client.end).toHaveBeenCalledOnce();
    wishes[1]!.answer(new Error('Fitting was stopped.'));
    await settled();
    expect(session.phase).toMatchObject({ kind: 'failed', code: 'given-up' });
    expect(await session.use()).toBe(false);
    expect(await session.archive()).toBeNull();
  });

  it('takes the place of the source with its configuration, as one step to undo', async () => {
    const { place, source, config, models } = await bench();
    const { client, wishes } = fakeFitter();
    const before = config.text;
    const session = new FitSession(place, client, source, family);
    session.giveLabels('pets.txt', ['cat', 'dog']);
    await settled();
    wishes.at(-1)!.answer();
    expect(await session.use()).toBe(true);
    expect(models.of('detector')?.fileName).toBe('net.fitted.onnx');
    expect(config.undoLabel).toBe('Make net.onnx machine-ready');
    expect(config.service).toMatchObject({ bgr: true, defaultMinimumConfidence: 0.25 });
    expect(config.text).toContain('"net.fitted.labels.txt"');
    config.undo();
    await settled();
    expect(config.text).toBe(before);
    expect(models.of('detector')?.fileName).toBe('net.onnx');
    config.redo();
    await settled();
    expect(models.of('detector')?.fileName).toBe('net.fitted.onnx');
  });

  it.each([
    ['another one is', 'other.onnx is'],
    ['nothing is', 'no model is'],
  ])('takes the place of no other model: %s on the stage meanwhile', async (_, words) => {
    const { place, source, config, models, vision } = await bench();
    const { client, wishes } = fakeFitter();
    const session = new FitSession(place, client, source, family);
    await settled();
    wishes.at(-1)!.answer();
    await settled();
    expect(session.goneWords).toBe('');
    const before = config.text;
    const using = session.use();
    if (words === 'no model is') await models.unload('detector');
    else await models.swap({ kind: 'file', file: new File([], 'other.onnx') }, 'detector');
    expect(session.goneWords).toBe(`net.onnx is no longer on the stage: ${words}.`);
    expect([await using, config.text]).toEqual([false, before]);

    // Nothing is read off the other model's outputs as if it were this one.
    vi.mocked(vision.tryDecoding).mockClear();
    session.chooseOption('letterbox', 'pad');
    await settled();
    wishes.at(-1)!.answer();
    await settled();
    expect(session.phase.kind).toBe('ready');
    expect(vision.tryDecoding).not.toHaveBeenCalled();
  });

  it('lets a model that is being loaded come, and does not take its place', async () => {
    const { place, source, config, models } = await bench();
    const { client, wishes } = fakeFitter();
    const session = new FitSession(place, client, source, family);
    await settled();
    wishes.at(-1)!.answer();
    const loading = models.swap({ kind: 'file', file: new File([], 'other.onnx') }, 'detector');
    expect(session.goneWords).toBe('other.onnx is being loaded in place of net.onnx.');
    expect(await session.use()).toBe(false);
    await loading;
    expect([models.of('detector')?.fileName, config.undoLabel]).toEqual(['other.onnx', null]);
  });

  it('hands out its files under one name', async () => {
    const { place, source } = await bench();
    const { client, wishes } = fakeFitter();
    const session = new FitSession(place, client, source, family);
    await settled();
    wishes[0]!.answer();
    expect((await session.archive())?.name).toBe('net.fitted.zip');
  });
});

describe('what is offered', () => {
  it('recognises a model once, and gives the worker back', async () => {
    const { place, models } = await bench();
    const { client } = fakeFitter();
    const recognise = vi.spyOn(client, 'recognise');
    const fit = new FitState(place, () => Promise.resolve(client));
    const model = models.of('detector')!;
    await fit.recognise(model);
    await fit.recognise(model);
    flushSync();
    expect(fit.recognitionOf(model)).toEqual(family);
    expect(recognise).toHaveBeenCalledOnce();
    expect(client.end).toHaveBeenCalledOnce();
    await fit.open(model);
    expect(fit.session?.source.fileName).toBe('net.onnx');
    fit.close();
    expect(fit.session).toBeNull();
    expect(client.end).toHaveBeenCalledTimes(2);
  });

  it('asks again where the file could not be read', async () => {
    const { place, models } = await bench();
    const { client } = fakeFitter();
    const recognise = vi.spyOn(client, 'recognise').mockRejectedValueOnce(new Error('gone'));
    const fit = new FitState(place, () => Promise.resolve(client));
    const model = models.of('detector')!;
    await fit.recognise(model);
    expect(fit.recognitionOf(model)).toBeNull();
    await fit.recognise(model);
    expect(recognise).toHaveBeenCalledTimes(2);
  });

  it.each([
    [family, 'This is a detector of 2 classes, of the kind YOLOv8.'],
    [{ ...family, name: 'RT-DETR', classCount: 1 }, 'This is a detector of 1 class, of the kind RT-DETR.'],
    [{ ...family, name: 'FastestDet', classCount: 0 }, 'This is a detector, of the kind FastestDet.'],
    [
      { ...family, name: 'classifier', result: 'classifications', classCount: 1000 },
      'This is a classifier of 1,000 classes.',
    ],
  ] as const)('says what a model is', (recognition, words) => {
    expect(recognitionWords(recognition)).toBe(words);
  });

  it('says options in words', () => {
    expect(optionWords('iouThreshold')).toBe('IoU threshold');
    expect(usualWords(threshold)).toBe('0 to 1, usually 0.7.');
    expect(usualWords({ kind: 'choice', key: 'a', about: '', choices: ['b'], usual: 'b' })).toBe('Usually b.');
  });
});

describe('labelled pictures', () => {
  const input = { bgr: true, meanValue: [0, 0, 0], stdDev: [1, 1, 1], fit: 'stretch' } as const;
  const others = { ...input, bgr: false };
  /** A session whose fit is done, with one picture that decides. */
  async function labelled(recognition: ModelRecognition) {
    const { place, source } = await bench();
    const { client, wishes } = fakeFitter();
    const session = new FitSession(place, client, source, recognition);
    await settled();
    wishes[0]!.answer();
    await settled();
    session.known.used = [
      { name: 'dog.png', content: new Blob(), label: 'dog', inputs: [others, input], tried: [[0], [0.9]] },
    ];
    const best = session.known.ranking!.ranked[0]!;
    return { client, wishes, session, best };
  }

  it('are asked for where the feeding is a guess, or told by options, and while they are used', async () => {
    const { session } = await labelled(family);
    expect(session.asksForAnswer).toBe(true);
    session.known.forget();
    expect(session.asksForAnswer).toBe(false);
    session.report = { ...session.report!, feedingGuess: 'Nothing says how it was fed.' };
    expect(session.asksForAnswer).toBe(true);
    expect((await labelled({ kind: 'unknown', seen: 'Nothing.' })).session.asksForAnswer).toBe(true);
  });

  it('feed the model as they say, and stay while it is read as before', async () => {
    const { session, wishes, best } = await labelled(family);
    session.takeFeeding(best);
    await settled();
    expect(wishes[1]!.wish.feedingFound).toMatchObject({
      preprocessing: { colour: 'bgr', mean: [0, 0, 0], stdDev: [1, 1, 1] },
      isSure: true,
    });
    wishes[1]!.answer();
    await settled();
    expect(session.known.used.length).toBe(1);
    session.chooseOption('iouThreshold', 0.2);
    await settled();
    expect(wishes[2]!.wish.feedingFound).toMatchObject({ isSure: true });
    wishes[2]!.answer();
    await settled();
    expect(session.known.used).toEqual([]);
    session.chooseFamily('guided');
    await settled();
    expect(wishes[3]!.wish.feedingFound).toBeNull();
  });

  it('are tried on a model of which nothing says how it is fed', async () => {
    const { session, client, best } = await labelled({ kind: 'unknown', seen: 'Nothing.' });
    session.chooseOption('colour', 'bgr');
    session.chooseOption('iouThreshold', 0.2);
    session.takeFeeding(best);
    session.known.take(new File(['cat'], 'cat.png'));
    await session.known.say('cat');
    expect(session.known.fault).toBe('Nothing could be tried: Not asked.');
    const [, wish] = vi.mocked(client.feedingTrial).mock.lastCall!;
    expect([wish.options, wish.feedingFound]).toEqual([{ iouThreshold: 0.2 }, null]);
  });

  it('set the options of a kind that options describe', async () => {
    const { session, wishes, best } = await labelled({ kind: 'unknown', seen: 'Nothing.' });
    session.takeFeeding(best);
    await settled();
    expect(wishes.at(-1)!.wish).toMatchObject({ options: { colour: 'bgr', values: '0..1' }, feedingFound: null });
    wishes.at(-1)!.answer();
    await settled();
    expect(session.known.used.length).toBe(1);
  });
});
