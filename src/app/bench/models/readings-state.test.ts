import { describe, expect, it } from 'vitest';
import type { VisionClient } from '../../../../workers/vision/client/vision-client.ts';
import type {
  BenchPlan,
  FoundReading,
  FoundReadings,
  ModelDescription,
  ReadingSide,
} from '../../../../workers/vision/protocol.ts';
import { memoryStorage } from '../../../../tests/memory-storage.ts';
import type { ModelAttributes } from '../../../config/edit-config.ts';
import { ConfigState } from '../config/config-state.svelte.ts';
import { ModelsState } from './models-state.svelte.ts';
import { ReadingsState } from './readings-state.svelte.ts';
import { TensorNamesState } from './tensor-names-state.svelte.ts';

const reading = (why: string, attributes: ModelAttributes, changes: Partial<FoundReading> = {}): FoundReading => ({
  why,
  plausibility: 0.9,
  isPresent: false,
  verdict: { kind: 'plausible', seen: [], notes: [] },
  boxes: [{ box: [0, 0, 1, 1], score: 0.8, label: '0' }],
  edits: { attributes, labelConfidences: null, needs: [], fitOptions: {} },
  ...changes,
});
const xyxy = reading('boxes are x, y, x, y', { boxOrder: [0, 1, 2, 3] });
const present = reading('boxes are y, x, y, x', {}, { isPresent: true });

/** A bench whose worker finds these readings; pictures note that they were closed. */
async function bench(answer: (side: ReadingSide, signal: AbortSignal) => Promise<Omit<FoundReadings, 'picture'>>) {
  const input = { name: 'images', dtype: 'float32' as const, shape: [1, 3, 9, 9], symbols: [null, null, null, null] };
  const model: Partial<ModelDescription> = {
    modelId: 'm',
    sha256: 'm',
    fileName: 'm.onnx',
    inputs: [input],
    outputs: [],
  };
  let open = 0;
  const client: Partial<VisionClient> = {
    onBackendDecided: () => () => {},
    onModelLost: () => () => {},
    loadModel: async () => model as ModelDescription,
    storedModels: async () => [],
    findReadings: async (side, onProgress, signal) => {
      onProgress(0.5);
      const found = await answer(side, signal);
      open++;
      return { ...found, picture: { close: () => void open-- } as ImageBitmap };
    },
  };
  const config = new ConfigState();
  const attributes = { mlmodel_name: 'm' };
  config.importText(
    JSON.stringify({ services: [{ name: 'v', api: 'rdk:service:vision', model: 'mlmodel', attributes }] }),
  );
  const models = new ModelsState(client as VisionClient, memoryStorage(), {
    onLoaded(service) {
      names.write(service);
      readings.expect(service);
    },
  });
  const names = new TensorNamesState(config, models);
  const readings = new ReadingsState(config, models, client as VisionClient);
  await models.load({ kind: 'url', url: 'https://example.org/m.onnx' }, 'v');
  const plan = { visionName: 'v', models: { v: { modelId: 'm', labels: null } } } as unknown as BenchPlan;
  return { config, models, readings, plan, service: () => config.service!, open: () => open };
}
const finds = (left: number, ...readings: FoundReading[]) => bench(async () => ({ left, readings }));

describe('after a model was loaded', () => {
  it('writes the one reading that is left, in one step with the names', async () => {
    const { config, readings, plan, service, open } = await finds(1, xyxy, present);
    await readings.planApplied(plan);
    expect([service().boxOrder, service().remapInputNames]).toEqual([[0, 1, 2, 3], { images: 'image' }]);
    expect(readings.taken('v')).toBe('Wrote into the configuration: boxes are x, y, x, y.');
    expect([readings.choices('v'), open()]).toEqual([null, 0]);
    readings.takeBack('v');
    expect([service().boxOrder, service().remapInputNames, readings.taken('v')]).toEqual([null, {}, '']);
    config.redo();
    await readings.planApplied(plan);
    expect(readings.taken('v')).not.toBe('');
  });

  it('shows the pictures where more are left, and takes the one that is clicked', async () => {
    const { config, readings, plan, service, open } = await finds(2, xyxy, present);
    await readings.planApplied(plan);
    expect(readings.choices('v')!.readings).toEqual([xyxy, present]);
    expect(service().boxOrder).toBeNull();
    readings.take(xyxy);
    expect([service().boxOrder, config.undoLabel]).toEqual([[0, 1, 2, 3], 'Reading of m.onnx']);
    expect([readings.choices('v'), open()]).toEqual([null, 0]);
    config.undo();
    expect([service().boxOrder, service().remapInputNames]).toEqual([null, { images: 'image' }]);
  });

  it.each<[string, number, FoundReading[]]>([
    ['the configuration says it already', 1, [present]],
    ['nothing was found', 0, []],
    ['the frame does not tell', 1, [{ ...xyxy, verdict: { kind: 'unsure', seen: ['No score.'], notes: [] } }]],
    ['no box is sure', 1, [{ ...xyxy, boxes: [{ box: [0, 0, 1, 1], score: 0.2, label: '0' }] }]],
  ])('leaves all as it is where %s', async (_, left, found) => {
    const { readings, plan, service, open } = await finds(left, ...found);
    await readings.planApplied(plan);
    expect([readings.choices('v'), service().boxOrder, readings.said]).toEqual([null, null, '']);
    expect(open()).toBe(0);
  });

  it('shows what it may not write: another graph, or an order that someone wrote', async () => {
    const other = { ...xyxy, edits: { ...xyxy.edits, needs: ['Divide inside the graph.'] } };
    const needing = await finds(1, other);
    await needing.readings.planApplied(needing.plan);
    expect(needing.readings.choices('v')!.readings).toEqual([other]);
    needing.readings.take(other);
    expect(needing.service().boxOrder).toBeNull();

    const written = await finds(1, xyxy);
    written.config.edit('Order', (text) =>
      text.replace('"mlmodel_name"', '"xmin_ymin_xmax_ymax_order":[0,2,1,3],"mlmodel_name"'),
    );
    await written.readings.planApplied(written.plan);
    expect([written.service().boxOrder, written.readings.choices('v')!.left]).toEqual([[0, 2, 1, 3], 1]);
  });

  it('asks once, and only for the plan with that model', async () => {
    let asked = 0;
    const { readings, plan } = await bench(async () => ({ left: ++asked, readings: [] }));
    await readings.planApplied({ ...plan, models: {} });
    expect(asked).toBe(0);
    await readings.planApplied(plan);
    await readings.planApplied(plan);
    expect(asked).toBe(1);
  });

  it('says nothing of a model that cannot be run: that is said elsewhere', async () => {
    const { readings, plan } = await bench(() => Promise.reject(new Error('unfilled')));
    await readings.planApplied(plan);
    expect([readings.said, readings.progress]).toEqual(['', null]);
  });
});

describe('asked for', () => {
  it('shows other inputs, and writes labels that leave the background out', async () => {
    const found = reading(
      'class 0 is background',
      {},
      { edits: { attributes: {}, labelConfidences: { 1: 0.5 }, needs: [], fitOptions: {} } },
    );
    const { readings, service } = await finds(2, found);
    await readings.find('input', 'v');
    expect(readings.choices('v')).toMatchObject({ side: 'input', left: 2 });
    expect(readings.choices('other')).toBeNull();
    readings.take(found);
    expect(service().labelConfidences).toEqual({ 1: 0.5 });
  });

  it.each<[ReadingSide, RegExp]>([
    ['outputs', /No two outputs/],
    ['input', /finds no boxes/],
  ])('says why there are none of the %s', async (side, words) => {
    const { readings } = await finds(0);
    await readings.find(side, 'v');
    expect([readings.said, readings.choices('v')]).toEqual([expect.stringMatching(words), null]);
  });

  it('says why it failed', async () => {
    const { readings } = await bench(() => Promise.reject(new Error('Out of memory.')));
    await readings.find('outputs', 'v');
    expect(readings.said).toBe('v cannot be read in other ways: Out of memory.');
  });

  it('is given up', async () => {
    let aborted = false;
    const { readings, open } = await bench(async (_, signal) => {
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      aborted = true;
      return { left: 1, readings: [xyxy] };
    });
    const finding = readings.find('outputs', 'v');
    expect(readings.progress).toBe(0.5);
    readings.dismiss();
    await finding;
    expect([aborted, readings.progress, readings.choices('v'), open()]).toEqual([true, null, null, 0]);
  });
});
