import { describe, expect, it } from 'vitest';
import type { ModelSource } from '../../../src/platform/ports/model-source.ts';
import type { WorkerLink } from '../../boundary/worker-link.ts';
import type { VisionApi } from '../api.ts';
import type { BenchPlan, ModelDescription } from '../protocol.ts';
import { Setup, type LostModel } from './setup.ts';

const described = (modelId: string, stored = false) =>
  ({ modelId, fileName: `${modelId}.onnx`, stored, gpuRefusal: '' }) as ModelDescription;
const fromUrl = (url: string): ModelSource => ({ kind: 'url', url });

/** A fake worker that loads every model except "broken", and dies at the model "fatal". */
function worker() {
  const asked: string[] = [];
  let isOver = false;
  const api = {
    async loadModel(source: ModelSource) {
      const name = source.kind === 'url' ? source.url : source.kind === 'stored' ? `stored ${source.sha256}` : '';
      asked.push(name);
      if (name === 'fatal') isOver = true;
      if (name === 'broken' || isOver) throw new Error('no');
      return described(name);
    },
    setPlan: async () => void asked.push('plan'),
  } as unknown as VisionApi;
  const link = {
    api,
    get isOver() {
      return isOver;
    },
  };
  return { asked, link: link as WorkerLink<VisionApi> };
}

function setupOf(...names: readonly string[]): Setup {
  const setup = new Setup();
  for (const name of names) setup.addModel(described(name, name === 'kept'), fromUrl(name), 'wasm');
  setup.plan = {} as BenchPlan;
  return setup;
}

describe('Setup', () => {
  it('gives a worker the models, stored ones from storage, then the plan; tells of one that does not load, once', async () => {
    const setup = setupOf('a', 'broken', 'kept');
    const lost: LostModel[] = [];
    const { asked, link } = worker();
    await setup.restore(link, (model) => lost.push(model));
    expect(asked).toEqual(['a', 'broken', 'stored kept', 'plan']);
    expect(lost.map(({ fileName }) => fileName)).toEqual(['broken.onnx']);
    expect(setup.removeSuspect()).toBeNull();
    const again = worker();
    await setup.restore(again.link, () => undefined);
    expect(again.asked).toEqual(['a', 'stored kept', 'plan']);
  });

  it('does not give the next worker the model that the last one ended at', async () => {
    const setup = setupOf('a', 'fatal', 'b');
    const { asked, link } = worker();
    await setup.restore(link, () => undefined);
    expect(asked).toEqual(['a', 'fatal']);
    expect(setup.removeSuspect()?.fileName).toBe('fatal.onnx');
    const next = worker();
    await setup.restore(next.link, () => undefined);
    expect(next.asked).toEqual(['a', 'b', 'plan']);
  });

  it('gives back to the CPU a model that WebGPU refused, and another to the backend that was chosen', async () => {
    const setup = new Setup();
    setup.addModel({ ...described('refused'), gpuRefusal: 'No adapter.' }, fromUrl('refused'), 'webgpu');
    setup.addModel(described('taken'), fromUrl('taken'), 'webgpu');
    const backends: unknown[] = [];
    const api = { loadModel: async (_: ModelSource, backend: unknown) => void backends.push(backend) };
    await setup.restore({ api, isOver: false } as unknown as WorkerLink<VisionApi>, () => undefined);
    expect(backends).toEqual(['wasm', 'webgpu']);
  });

  it('names the models that it lets go', () => {
    const setup = setupOf('a', 'b');
    expect(setup.hasModels).toBe(true);
    expect(setup.removeModels().map(({ modelId }) => modelId)).toEqual(['a', 'b']);
    expect(setup.hasModels).toBe(false);
  });
});
