import { describe, expect, it } from 'vitest';
import type { VisionClient } from '../../../../workers/vision/client/vision-client.ts';
import type { ModelDescription, PlanReport } from '../../../../workers/vision/protocol.ts';
import { ConfigState } from '../config/config-state.svelte.ts';
import type { SeenFrame } from '../session/seen-frame.ts';
import { LabelsState } from './labels-state.svelte.ts';
import { ModelsState } from './models-state.svelte.ts';
import { takeLabelFile, takeLabelText } from './take-label-list.ts';

const config = JSON.stringify({
  services: [
    { name: 'm', api: 'rdk:service:mlmodel', model: 'viam:mlmodel:onnx-cpu', attributes: { label_path: 'a.txt' } },
    { name: 'v', api: 'rdk:service:vision', model: 'mlmodel', attributes: { mlmodel_name: 'm' } },
  ],
});
const unable = { able: false, tensors: [], warnings: [] as string[], reason: 'no', code: '' };
const able = { ...unable, able: true };

/** A bench whose model said these classes of the only frame that was run, or these scores of a classifier. */
async function bench({
  classes = [] as number[],
  values = 0,
  classifier = unable,
  shape = [1, 3],
  detectionCount = 0,
} = {}) {
  const model = {
    modelId: 'y',
    sha256: 'y',
    fileName: 'y.onnx',
    labels: null,
    format: { name: 'tflite', schemaVersion: 3, signatures: [], classCount: detectionCount },
    outputs: [{ name: 'o', dtype: 'float32', shape }],
  };
  const client: Partial<VisionClient> = {
    onBackendDecided: () => () => {},
    onModelLost: () => () => {},
    loadModel: async () => model as unknown as ModelDescription,
    storedModels: async () => [],
  };
  const state = new ConfigState();
  state.importText(config);
  const models = new ModelsState(client as VisionClient, { getItem: () => null, setItem: () => {} });
  await models.load({ kind: 'url', url: 'https://example.org/y.onnx' }, 'v');
  const labels = new LabelsState(state, models);
  const frame: SeenFrame = {
    detections: values > 0 ? null : { count: classes.length, labels: classes.map(String), labelIndex: Uint32Array.from(classes.keys()), score: new Float64Array(classes.length) }, // prettier-ignore
    classifications: values > 0 ? { labels: [], score: new Float64Array(values) } : null,
  };
  const session = {
    report: { detector: values > 0 ? unable : able, classifier, problems: [] } as PlanReport,
    ranWith: () => true,
    history: { results: [frame] },
  };
  return { config: state, labels, models, session, serviceName: 'v' };
}

const file = (content: BlobPart): File => new File([content], 'one.txt');

describe('takeLabelFile', () => {
  it('takes a list that fits, in an undo step of its name', async () => {
    const all = await bench({ classes: [0, 1] });
    expect(await takeLabelFile(all, file('cat\ndog'))).toBe('taken');
    expect([all.labels.of('v'), all.config.undoLabel]).toEqual([['cat', 'dog'], 'Label list one.txt']);
  });

  it('asks about one name where 80 were, and leaves the 80 until it is answered', async () => {
    const all = await bench({ classes: [79] });
    const names = Array.from({ length: 80 }, (_, at) => `thing ${at}`);
    takeLabelText(all, names.join('\n'), { from: 'typed here' });
    expect(await takeLabelFile(all, file(Uint8Array.of(0xff, 0xfe)))).toBe('asked');
    expect(all.labels.of('v')).toEqual(names);
    expect(all.labels.doubtful).toMatchObject({
      doubt: '1 name. The previous list has 80. “\uFFFD\uFFFD” is not UTF-8 text.',
      hasFormer: true,
    });
    expect(all.config.undoLabel).toBe('Label list typed here');
  });

  it('does not hold the former list against one that came with its model', async () => {
    const all = await bench();
    takeLabelText(all, 'cat\ndog\ncow', { from: 'typed here' });
    expect(await takeLabelFile(all, file('lion\nwolf'), { cameWithModel: true })).toBe('taken');
    expect(all.labels.of('v')).toEqual(['lion', 'wolf']);
  });

  it('waits for the model that is being loaded, whose list it is', async () => {
    const all = await bench();
    takeLabelText(all, 'cat\ndog\ncow', { from: 'typed here' });
    const loading = all.models.load({ kind: 'url', url: 'https://example.org/z.onnx' }, 'v');
    expect(await takeLabelFile(all, file('lion\nwolf'))).toBe('taken');
    expect(await loading).toBe(true);
    expect(all.labels.of('v')).toEqual(['lion', 'wolf']);
  });

  it.each([
    ['the values of a classifier', { values: 5, classifier: able }, '2 names for 5 classes.'],
    ['what a classifier that refuses the list gives', { classifier: { ...unable, code: 'label-count' }, shape: [1, 7] }, '2 names for 7 classes.'], // prettier-ignore
    ['what a detection operator counts', { detectionCount: 90 }, '2 names for 90 classes.'],
    ['the highest class that came', { classes: [4, 9] }, '2 names, and class 9 came.'],
  ])('counts %s', async (_, given, doubt) => {
    const all = await bench(given);
    expect(await takeLabelFile(all, file('cat\ndog'))).toBe('asked');
    expect(all.labels.doubtful?.doubt).toBe(doubt);
  });

  it('counts no classes of a raw head that the machine takes for a classifier', async () => {
    const all = await bench({ values: 158_000, classifier: { ...able, code: 'no-classes' } });
    expect(await takeLabelFile(all, file('cat\ndog'))).toBe('taken');
  });

  it.each([
    ['bytes', Uint8Array.of(1, 0, 2), 'it has no text in UTF-8, which the machine reads'],
    ['UTF-16', Uint8Array.of(0xff, 0xfe, 97, 0), 'it has no text in UTF-8, which the machine reads'],
    ['nothing but lines', '\n \n', 'it has no labels'],
  ])('refuses %s', async (_, content, why) => {
    expect(await takeLabelFile(await bench(), file(content))).toEqual({ leftOut: why });
  });

  it('leaves a list out while the configuration cannot be read', async () => {
    const all = await bench();
    all.config.typeText('{');
    expect(await takeLabelFile(all, file('cat\ndog'))).toMatchObject({
      leftOut: expect.stringMatching(/configuration cannot be read/),
    });
    expect([all.labels.of('v'), all.labels.doubtful]).toEqual([null, null]);
  });
});
