import { describe, expect, it } from 'vitest';
import type { VisionClient } from '../../../../workers/vision/client/vision-client.ts';
import type {
  BenchPlan,
  FoundInterpretation,
  FoundInterpretations,
  ModelDescription,
  InterpretationSide,
} from '../../../../workers/vision/protocol.ts';
import { memoryStorage } from '../../../../tests/memory-storage.ts';
import type { ModelAttributes } from '../../../machine/config/edit/edit-config.ts';
import { ConfigState } from '../config/config-state.svelte.ts';
import { ModelsState } from './models-state.svelte.ts';
import { InterpretationsState } from './interpretations-state.svelte.ts';
import { TensorNamesState } from './tensor-names-state.svelte.ts';

const interpretation = (
  why: string,
  attributes: ModelAttributes,
  changes: Partial<FoundInterpretation> = {},
): FoundInterpretation => ({
  why,
  plausibility: 0.9,
  isPresent: false,
  verdict: { kind: 'plausible', seen: [], notes: [] },
  boxes: [{ box: [0, 0, 1, 1], score: 0.8, label: '0' }],
  edits: { attributes, labelConfidences: null, needs: [], fitOptions: {} },
  ...changes,
});
const xyxy = interpretation('boxes are x, y, x, y', { boxOrder: [0, 1, 2, 3] });
const present = interpretation('boxes are y, x, y, x', {}, { isPresent: true });

/** A bench whose worker finds these interpretations; pictures note that they were closed. */
async function bench(
  answer: (side: InterpretationSide, signal: AbortSignal) => Promise<Omit<FoundInterpretations, 'picture'>>,
) {
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
    unloadModel: async () => {},
    findInterpretations: async (side, onProgress, signal) => {
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
      interpretations.expect(service);
    },
  });
  const names = new TensorNamesState(config, models);
  const interpretations = new InterpretationsState(config, models, client as VisionClient);
  await models.load({ kind: 'url', url: 'https://example.org/m.onnx' }, 'v');
  const plan = { visionName: 'v', models: { v: { modelId: 'm', labels: null } } } as unknown as BenchPlan;
  return { config, models, interpretations, plan, service: () => config.service!, open: () => open };
}
const finds = (left: number, ...interpretations: FoundInterpretation[]) =>
  bench(async () => ({ left, interpretations }));

describe('after a model was loaded', () => {
  it('writes the one interpretation that is left, in one step with the names', async () => {
    const { config, interpretations, plan, service, open } = await finds(1, xyxy, present);
    await interpretations.planApplied(plan);
    expect([service().boxOrder, service().remapInputNames]).toEqual([[0, 1, 2, 3], { images: 'image' }]);
    expect(interpretations.taken('v')).toBe('Wrote into the configuration: boxes are x, y, x, y.');
    expect([interpretations.choices('v'), open()]).toEqual([null, 0]);
    interpretations.takeBack('v');
    expect([service().boxOrder, service().remapInputNames, interpretations.taken('v')]).toEqual([null, {}, '']);
    config.redo();
    await interpretations.planApplied(plan);
    expect(interpretations.taken('v')).not.toBe('');
  });

  it('no longer says what it wrote for a model that the service has not any more', async () => {
    const { models, interpretations, plan } = await finds(1, xyxy, present);
    await interpretations.planApplied(plan);
    expect(interpretations.taken('v')).not.toBe('');
    await models.unload('v');
    expect(interpretations.taken('v')).toBe('');
  });

  it('shows the pictures where more are left, and takes the one that is clicked', async () => {
    const { config, interpretations, plan, service, open } = await finds(2, xyxy, present);
    await interpretations.planApplied(plan);
    expect(interpretations.choices('v')!.interpretations).toEqual([xyxy, present]);
    expect(service().boxOrder).toBeNull();
    interpretations.take(xyxy);
    expect([service().boxOrder, config.undoLabel]).toEqual([[0, 1, 2, 3], 'How m.onnx is read']);
    expect([interpretations.choices('v'), open()]).toEqual([null, 0]);
    config.undo();
    expect([service().boxOrder, service().remapInputNames]).toEqual([null, { images: 'image' }]);
  });

  it.each<[string, number, FoundInterpretation[]]>([
    ['the configuration says it already', 1, [present]],
    ['nothing was found', 0, []],
    ['the frame does not tell', 1, [{ ...xyxy, verdict: { kind: 'unsure', seen: ['No score.'], notes: [] } }]],
    ['no box is sure', 1, [{ ...xyxy, boxes: [{ box: [0, 0, 1, 1], score: 0.2, label: '0' }] }]],
  ])('leaves all as it is where %s', async (_, left, found) => {
    const { interpretations, plan, service, open } = await finds(left, ...found);
    await interpretations.planApplied(plan);
    expect([interpretations.choices('v'), service().boxOrder, interpretations.fault]).toEqual([null, null, null]);
    expect(open()).toBe(0);
  });

  it('shows what it may not write: another graph, or an order that someone wrote', async () => {
    const other = { ...xyxy, edits: { ...xyxy.edits, needs: ['Divide inside the graph.'] } };
    const needing = await finds(1, other);
    await needing.interpretations.planApplied(needing.plan);
    expect(needing.interpretations.choices('v')!.interpretations).toEqual([other]);
    needing.interpretations.take(other);
    expect(needing.service().boxOrder).toBeNull();

    const written = await finds(1, xyxy);
    written.config.edit('Order', (text) =>
      text.replace('"mlmodel_name"', '"xmin_ymin_xmax_ymax_order":[0,2,1,3],"mlmodel_name"'),
    );
    await written.interpretations.planApplied(written.plan);
    expect([written.service().boxOrder, written.interpretations.choices('v')!.left]).toEqual([[0, 2, 1, 3], 1]);
  });

  it('asks once, and only for the plan with that model', async () => {
    let asked = 0;
    const { interpretations, plan } = await bench(async () => ({ left: ++asked, interpretations: [] }));
    await interpretations.planApplied({ ...plan, models: {} });
    expect(asked).toBe(0);
    await interpretations.planApplied(plan);
    await interpretations.planApplied(plan);
    expect(asked).toBe(1);
  });

  it('says nothing of a model that cannot be run: that is said elsewhere', async () => {
    const { interpretations, plan } = await bench(() => Promise.reject(new Error('unfilled')));
    await interpretations.planApplied(plan);
    expect([interpretations.fault, interpretations.progress]).toEqual([null, null]);
  });
});

describe('asked for', () => {
  it('shows other inputs, and writes labels that leave the background out', async () => {
    const found = interpretation(
      'class 0 is background',
      {},
      { edits: { attributes: {}, labelConfidences: { 1: 0.5 }, needs: [], fitOptions: {} } },
    );
    const { interpretations, service } = await finds(2, found);
    await interpretations.find('input', 'v');
    expect(interpretations.choices('v')).toMatchObject({ side: 'input', left: 2 });
    expect(interpretations.choices('other')).toBeNull();
    interpretations.take(found);
    expect(service().labelConfidences).toEqual({ 1: 0.5 });
  });

  it.each<[InterpretationSide, RegExp]>([
    ['outputs', /No two outputs/],
    ['input', /finds no boxes/],
  ])('says why there are none of the %s', async (side, words) => {
    const { interpretations } = await finds(0);
    await interpretations.find(side, 'v');
    expect([interpretations.fault, interpretations.choices('v')]).toEqual([expect.stringMatching(words), null]);
  });

  it('says why it failed', async () => {
    const { interpretations } = await bench(() => Promise.reject(new Error('Out of memory.')));
    await interpretations.find('outputs', 'v');
    expect(interpretations.fault).toBe('v cannot be read in other ways: Out of memory.');
  });

  it('is given up', async () => {
    let aborted = false;
    const { interpretations, open } = await bench(async (_, signal) => {
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      aborted = true;
      return { left: 1, interpretations: [xyxy] };
    });
    const finding = interpretations.find('outputs', 'v');
    expect(interpretations.progress).toBe(0.5);
    interpretations.dismiss();
    await finding;
    expect([aborted, interpretations.progress, interpretations.choices('v'), open()]).toEqual([true, null, null, 0]);
  });
});
