import { describe, expect, it, vi } from 'vitest';
import type { LostModel } from '../../../../workers/vision/client/setup.ts';
import type { LoadOptions, VisionClient } from '../../../../workers/vision/client/vision-client.ts';
import type { ModelDescription } from '../../../../workers/vision/protocol.ts';
import type { ModelSource } from '../../../platform/ports/model-source.ts';
import type { StoredModel } from '../../../platform/ports/model-store.ts';
import { loadingText } from './loading-text.ts';
import { ModelsState } from './models-state.svelte.ts';

const described = (modelId: string): ModelDescription => ({
  modelId,
  fileName: `${modelId}.onnx`,
  byteLength: 1,
  sha256: modelId,
  inputs: [],
  outputs: [],
  format: { name: 'onnx', irVersion: 8, opsets: { '': 17 } },
  producer: '',
  graphName: '',
  metadata: {},
  labels: null,
  labelsFrom: '',
  boxOrder: null,
  backend: 'wasm',
  gpuRefusal: '',
  admission: null,
  runsAt: '',
  comparison: null,
  warmRunMs: 1,
  stored: true,
  storedReason: '',
  moduleFindings: [],
  warnings: [],
});
const fromUrl = (name: string): ModelSource => ({ kind: 'url', url: `https://example.org/${name}` });

/** A worker that loads "https://…/NAME" as the model NAME; "bad" fails and "slow" waits until it is aborted. */
function fakeWorker(stored: StoredModel[] = []) {
  const log: string[] = [];
  let refusal = '';
  let failure = '';
  let decide: (model: ModelDescription) => void = () => {};
  let lose: (model: LostModel) => void = () => {};
  const client: Partial<VisionClient> = {
    onBackendDecided: (listener) => {
      decide = listener;
      return () => {};
    },
    onModelLost: (listener) => {
      lose = listener;
      return () => {};
    },
    async loadModel(source: ModelSource, { backend, signal, onProgress }: LoadOptions) {
      const id =
        source.kind === 'url' ? source.url.split('/').at(-1)! : source.kind === 'stored' ? source.sha256 : 'builtin';
      log.push(`load ${id} ${backend}`);
      onProgress?.({ phase: 'reading', fraction: 0.5 });
      if (id === 'bad') throw new Error('This is not an ONNX model.');
      if (id === 'slow') {
        await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted'))));
      }
      if (failure) throw new Error(failure);
      signal?.throwIfAborted();
      return backend === 'webgpu' && !refusal
        ? { ...described(id), backend }
        : { ...described(id), gpuRefusal: backend === 'webgpu' ? refusal : '' };
    },
    unloadModel: async (id) => void log.push(`unload ${id}`),
    storedModels: async () => stored,
    forgetDecision: async (id) => void log.push(`forget decision ${id}`),
    forgetModel: async () => {},
  };
  return {
    client: client as VisionClient,
    log,
    /** From now on WebGPU runs no model, for a reason. */
    refuse: (reason: string) => (refusal = reason),
    /** From now on every load fails, for a reason. */
    fail: (reason: string) => (failure = reason),
    decide: (model: ModelDescription) => decide(model),
    lose: (modelId: string) => lose({ modelId, fileName: `${modelId}.onnx` }),
  };
}

function memory(start: Record<string, string> = {}) {
  const kept = new Map(Object.entries(start));
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
}

describe('ModelsState', () => {
  it('shows what "auto" decides after the first frame', async () => {
    const { client, decide } = fakeWorker();
    const models = new ModelsState(client, memory());
    await models.load(fromUrl('a'), 'v');
    decide({ ...described('a'), backend: 'webgpu' });
    decide({ ...described('gone'), backend: 'webgpu' });
    expect(models.inMemory.map(({ modelId, backend }) => [modelId, backend])).toEqual([['a', 'webgpu']]);
  });

  it('lets a model go that did not come back with the workers, and asks for it', async () => {
    const { client, lose } = fakeWorker();
    const models = new ModelsState(client, memory());
    await models.load(fromUrl('a'), 'v');
    await models.load(fromUrl('b'), 'w');
    lose('a');
    expect([models.of('v'), models.of('w')?.modelId, models.assigned]).toEqual([null, 'b', { w: 'b' }]);
    expect(models.fault).toMatchObject({ name: 'a.onnx', message: expect.stringContaining('Load it again') });
  });

  it('frees the model that a service ran before', async () => {
    const { client, log } = fakeWorker();
    const models = new ModelsState(client, memory());
    await models.load(fromUrl('a'), 'v');
    await models.load(fromUrl('b'), 'v');
    expect(log).toEqual(['load a auto', 'load b auto', 'unload a']);
    expect(models.of('v')?.modelId).toBe('b');
    expect(models.inMemory).toHaveLength(1);
  });

  it('keeps a model in memory while another service runs it', async () => {
    const { client, log } = fakeWorker();
    const models = new ModelsState(client, memory());
    await models.load(fromUrl('a'), 'one');
    await models.share('two', 'a');
    await models.load(fromUrl('b'), 'one');
    expect(log).not.toContain('unload a');
    await models.unload('two');
    expect(log.at(-1)).toBe('unload a');
    expect(models.assigned).toEqual({ one: 'b' });
  });

  it('keeps the model that runs when another fails, and says why', async () => {
    const { client } = fakeWorker();
    const models = new ModelsState(client, memory());
    await models.load(fromUrl('a'), 'v');
    await models.load(fromUrl('bad'), 'v');
    expect(models.of('v')?.modelId).toBe('a');
    expect(models.fault).toEqual({ name: 'bad', message: 'This is not an ONNX model.' });
    expect(models.loading).toBeNull();
  });

  it('takes weights that come after their model for it, once', async () => {
    const sources: ModelSource[] = [];
    const { client } = fakeWorker();
    const models = new ModelsState(
      {
        ...client,
        loadModel: async (source: ModelSource) => {
          sources.push(source);
          throw Object.assign(new Error('The weights are in net.data.'), { code: 'external-data-missing' });
        },
      },
      memory(),
    );
    const [model, weights] = [new File(['m'], 'net.onnx'), new File(['w'], 'net.data')];
    await models.load({ kind: 'file', file: model }, 'v');
    await models.load({ kind: 'file', file: weights }, 'v');
    expect(sources[1]).toEqual({ kind: 'file', file: model, beside: [weights] });
    await models.load({ kind: 'file', file: model }, 'v');
    expect(sources[2]).toEqual({ kind: 'file', file: model });
    const more = new File(['x'], 'net2.data');
    await models.load({ kind: 'file', file: model, beside: [weights] }, 'v');
    await models.load({ kind: 'file', file: more }, 'v');
    expect(sources[4]).toEqual({ kind: 'file', file: model, beside: [weights, more] });
    await models.load(fromUrl('a'), 'v');
    await models.load({ kind: 'file', file: weights }, 'v');
    expect(sources[6]).toEqual({ kind: 'file', file: weights });
  });

  it('cancels without a complaint', async () => {
    const { client } = fakeWorker();
    const models = new ModelsState(client, memory());
    const loading = models.load(fromUrl('slow'), 'v');
    expect(models.loading && loadingText(models.loading)).toBe('Reading slow · 50 %');
    models.cancel();
    await loading;
    expect(models.loading).toBeNull();
    expect(models.fault).toBeNull();
  });

  it('lets a later load win', async () => {
    const { client } = fakeWorker();
    const models = new ModelsState(client, memory());
    const slow = models.load(fromUrl('slow'), 'v');
    await models.load(fromUrl('a'), 'v');
    await slow;
    expect(models.of('v')?.modelId).toBe('a');
    expect(models.loading).toBeNull();
  });

  it('loads again for another backend and remembers it', async () => {
    const kept = memory();
    const { client, log } = fakeWorker();
    const models = new ModelsState(client, kept);
    await models.load(fromUrl('a'), 'v');
    expect(await models.chooseBackend('wasm', 'v')).toBe(true);
    expect(log).toEqual(['load a auto', 'load a wasm']);
    expect(new ModelsState(client, kept).backend).toBe('wasm');
  });

  it('keeps the model that runs, and the choice, where the backend that is chosen cannot run it, and says why', async () => {
    const kept = memory();
    const worker = fakeWorker();
    const models = new ModelsState(worker.client, kept);
    await models.load(fromUrl('a'), 'v');
    worker.refuse('No adapter.');
    const moving = models.chooseBackend('webgpu', 'v');
    expect([models.of('v')?.modelId, models.choiceFor(models.of('v')!)]).toEqual(['a', 'webgpu']);
    expect(await moving).toBe(false);
    expect([models.of('v')?.modelId, models.loading, models.fault]).toEqual(['a', null, null]);
    expect(worker.log.slice(-2)).toEqual(['forget decision a', 'load a webgpu']);
    expect(models.choiceFor(models.of('v')!)).toBe('auto');
    expect(models.refusalOf(models.of('v')!)).toBe('Not on WebGPU: No adapter.');
    expect([worker.log.includes('unload a'), new ModelsState(worker.client, kept).backend]).toEqual([false, 'auto']);

    worker.refuse('');
    expect(await models.chooseBackend('wasm', 'v')).toBe(true);
    expect(models.refusalOf(models.of('v')!)).toBe('');
  });

  it('keeps the model that runs where a move fails in another way, or is cancelled', async () => {
    const worker = fakeWorker();
    const models = new ModelsState(worker.client, memory());
    await models.load(fromUrl('a'), 'v');
    worker.fail('No memory is left.');
    expect(await models.chooseBackend('wasm', 'v')).toBe(false);
    expect([models.of('v')?.modelId, models.fault, models.choiceFor(models.of('v')!)]).toEqual(['a', null, 'auto']);
    expect(models.refusalOf(models.of('v')!)).toBe('Not on WASM: No memory is left.');
    worker.fail('');
    const cancelled = models.chooseBackend('wasm', 'v');
    models.cancel();
    expect(await cancelled).toBe(false);
    expect([models.of('v')?.modelId, models.loading, models.choiceFor(models.of('v')!)]).toEqual(['a', null, 'auto']);
    expect(models.refusalOf(models.of('v')!)).toBe('');
  });

  it('shows the CPU for a new model that WebGPU refuses, and asks WebGPU for the next one', async () => {
    const worker = fakeWorker();
    const models = new ModelsState(worker.client, memory({ 'sightglass:backend': '"webgpu"' }));
    worker.refuse('TensorFlow Lite models run on the CPU.');
    await models.load(fromUrl('a'), 'v');
    expect(models.choiceFor(models.of('v')!)).toBe('wasm');
    expect(models.refusalOf(models.of('v')!)).toBe('Not on WebGPU: TensorFlow Lite models run on the CPU.');
    worker.refuse('');
    await models.load(fromUrl('b'), 'v');
    expect([models.choiceFor(models.of('v')!), worker.log.at(-2)]).toEqual(['webgpu', 'load b webgpu']);
  });

  it('has a model measured again for whoever chooses "auto"', async () => {
    const { client, log } = fakeWorker();
    const forgetDecision = async (modelId: string) => void log.push(`forget ${modelId}`);
    const models = new ModelsState({ ...client, forgetDecision }, memory());
    await models.load(fromUrl('a'), 'v');
    await models.chooseBackend('auto', 'v');
    expect(log).toEqual(['load a auto', 'forget a', 'load a auto']);
  });

  it('keeps the model of a service that is renamed', async () => {
    const { client, log } = fakeWorker();
    const models = new ModelsState(client, memory());
    await models.load(fromUrl('a'), 'v');
    models.reassign('w', ['w'], false);
    expect(models.assigned).toEqual({ w: 'a' });
    expect(log).not.toContain('unload a');
  });

  it('does not take the model of a service that is still there', async () => {
    const { client } = fakeWorker();
    const models = new ModelsState(client, memory());
    await models.load(fromUrl('a'), 'v');
    models.reassign('w', ['v', 'w'], false);
    expect(models.of('w')).toBeNull();
    expect(models.of('v')?.modelId).toBe('a');
  });

  it('brings up no first model where one is on its way, or there', async () => {
    const { client, log } = fakeWorker();
    const models = new ModelsState(client, memory());
    const chosen = models.load(fromUrl('a'), 'v');
    await models.loadFirst('v');
    await chosen;
    await models.loadFirst('v');
    expect([log, models.of('v')?.modelId]).toEqual([['load a auto'], 'a']);
  });

  it('begins with the model of the last visit while it is stored', async () => {
    const kept = memory();
    const { client } = fakeWorker();
    await new ModelsState(client, kept).load(fromUrl('a'), 'v');

    const offline = fakeWorker([{ sha256: 'a', fileName: 'a.onnx', byteLength: 1, storedAtMs: 0 }]);
    const next = new ModelsState(offline.client, kept);
    await next.loadFirst('v');
    expect(next.of('v')?.modelId).toBe('a');

    const emptied = fakeWorker();
    const later = new ModelsState(emptied.client, kept);
    await later.loadFirst('v');
    expect(later.of('v')?.modelId).toBe('builtin');
    expect(later.isBuiltin(later.of('v')!)).toBe(true);
  });

  it('leaves a model alone that was chosen while that of the last visit was looked for', async () => {
    const kept = memory({ 'sightglass:model': '"a"', 'sightglass:modelFor': '""' });
    const { client, log } = fakeWorker([{ sha256: 'a', fileName: 'a.onnx', byteLength: 1, storedAtMs: 0 }]);
    const models = new ModelsState(client, kept);
    const first = models.loadFirst('v');
    const chosen = models.load(fromUrl('b'), 'v');
    await first;
    expect([await chosen, models.of('v')?.modelId, log]).toEqual([true, 'b', ['load b auto']]);
  });

  it.each<[string, (models: ModelsState) => unknown, string]>([
    ['a person loads another', (models) => models.load(fromUrl('mine'), 'v'), 'mine'],
    ['another takes its place', (models) => models.swap(fromUrl('mine'), 'v'), 'mine'],
    ['it is cancelled', (models) => models.cancel(), ''],
  ])('brings no first model up after all where %s while the one of the last visit loads', async (_, then, runs) => {
    const { client, log } = fakeWorker([{ sha256: 'slow', fileName: 'slow.onnx', byteLength: 1, storedAtMs: 0 }]);
    const models = new ModelsState(client, memory({ 'sightglass:model': '"slow"', 'sightglass:modelFor': '""' }));
    const first = models.loadFirst('v');
    await vi.waitUntil(() => log.includes('load slow auto'));
    await then(models);
    await first;
    expect([models.of('v')?.modelId ?? '', models.loading, models.fault]).toEqual([runs, null, null]);
    expect(log.filter((line) => line.includes('builtin'))).toEqual([]);
  });

  it('begins with the built-in model where the one of the last visit fails', async () => {
    const { client } = fakeWorker([{ sha256: 'bad', fileName: 'bad.onnx', byteLength: 1, storedAtMs: 0 }]);
    const models = new ModelsState(client, memory({ 'sightglass:model': '"bad"', 'sightglass:modelFor': '""' }));
    await models.loadFirst('v');
    expect([models.of('v')?.modelId, models.loading]).toEqual(['builtin', null]);
  });

  it('says that a service runs a model only once frames are run with it', async () => {
    let bring!: () => void;
    const models = new ModelsState(fakeWorker().client, memory(), {
      bringIntoForce: () => new Promise((resolve) => (bring = resolve)),
    });
    let isLoaded: boolean | null = null;
    const loading = models.load(fromUrl('a'), 'v').then((loaded) => (isLoaded = loaded));
    await vi.waitUntil(() => models.of('v') && !models.loading);
    await new Promise((resolve) => setTimeout(resolve));
    expect(isLoaded).toBe(null);
    bring();
    await loading;
    expect(isLoaded).toBe(true);
  });

  it('asks for the model of an imported configuration, runs none in its place by itself, and has undo bring it back', async () => {
    const paths: Record<string, string> = { faces: 'face-detector.onnx', yolo: '/models/yolo.onnx' };
    const kept = memory();
    const { client, log } = fakeWorker();
    const models = new ModelsState(client, kept, { pathOf: (service) => paths[service] ?? '' });
    await models.loadFirst('faces');
    models.reassign('yolo', ['yolo'], true);
    expect([models.assigned, models.inMemory.map(({ modelId }) => modelId)]).toEqual([{}, ['builtin']]);
    models.reassign('faces', ['faces'], true);
    expect(models.assigned).toEqual({ faces: 'builtin' });
    models.reassign('yolo', ['yolo'], true);
    await models.share('yolo', 'builtin');
    expect([models.assigned, log]).toEqual([{ yolo: 'builtin' }, ['load builtin auto']]);

    // On the next visit it is what was said, and only for that path.
    const next = new ModelsState(fakeWorker().client, kept, { pathOf: (service) => paths[service] ?? '' });
    await next.loadFirst('yolo');
    expect(next.of('yolo')?.modelId).toBe('builtin');
    const other = new ModelsState(fakeWorker().client, kept, { pathOf: () => '/models/other.onnx' });
    await other.loadFirst('yolo');
    expect([other.of('yolo'), other.loading]).toEqual([null, null]);

    // Nor does it take the place of a file that was here, and is forgotten.
    const gone = memory({ 'sightglass:model': '"yolo"', 'sightglass:modelFor': '"/models/yolo.onnx"' });
    const without = new ModelsState(fakeWorker().client, gone, { pathOf: () => '/models/yolo.onnx' });
    await without.loadFirst('yolo');
    expect(without.of('yolo')).toBeNull();
  });

  it('lets the first model be when another configuration comes while it loads, and a model that someone asked for go on', async () => {
    const opened = memory({ 'sightglass:model': '"slow"', 'sightglass:modelFor': '"/slow.onnx"' });
    const { client, log } = fakeWorker([{ sha256: 'slow', fileName: 'slow.onnx', byteLength: 1, storedAtMs: 0 }]);
    const models = new ModelsState(client, opened, { pathOf: (service) => `/${service}.onnx` });
    const first = models.loadFirst('slow');
    await vi.waitUntil(() => log.includes('load slow auto'));
    models.reassign('yolo', ['yolo'], true);
    await first;
    expect([models.assigned, models.loading, log]).toEqual([{}, null, ['load slow auto']]);
    const asked = models.load(fromUrl('a'), 'yolo');
    models.reassign('other', ['other'], true);
    await asked;
    models.reassign('other', ['other'], false);
    expect(models.assigned).toEqual({ other: 'a' });
  });

  it('loads a built-in model that another configuration names, and none that an edit names', async () => {
    const { client, log } = fakeWorker();
    const models = new ModelsState(client, memory(), { pathOf: () => 'face-detector.onnx' });
    models.reassign('faces', ['faces'], false);
    expect([models.loading, log]).toEqual([null, []]);
    models.reassign('faces', ['faces'], true);
    await vi.waitUntil(() => models.of('faces'));
    expect(log).toEqual(['load builtin auto']);
  });
});
