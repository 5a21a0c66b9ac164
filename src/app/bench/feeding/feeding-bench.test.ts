import { describe, expect, it, vi } from 'vitest';
import type { VisionClient } from '../../../../workers/vision/client/vision-client.ts';
import type { FeedingCure } from '../../../../workers/feeding/client.ts';
import type { ModelDescription } from '../../../../workers/vision/protocol.ts';
import { memoryStorage } from '../../../../tests/memory-storage.ts';
import { ConfigState } from '../config/config-state.svelte.ts';
import type { FitChoice } from '../fit/fit-session.svelte.ts';
import type { FitState } from '../fit/fit-state.svelte.ts';
import { LabelsState } from '../models/labels-state.svelte.ts';
import { ModelsState } from '../models/models-state.svelte.ts';
import { SolverState } from '../solver/solver-state.svelte.ts';
import { feedingBench } from './feeding-bench.ts';

const camera = { name: 'front', api: 'rdk:component:camera', model: 'webcam', attributes: {} };
const transform = { name: 'cut', api: 'rdk:component:camera', model: 'transform', attributes: { source: 'front', pipeline: [{ type: 'rotate', attributes: { angle_degs: 90 } }] } }; // prettier-ignore
const visionOf = (cameraName: string) => ({ name: 'v', api: 'rdk:service:vision', model: 'mlmodel', attributes: { mlmodel_name: 'm', camera_name: cameraName } }); // prettier-ignore

async function lab(cameraName = 'front', isLoaded = true) {
  const client: Partial<VisionClient> = {
    onBackendDecided: () => () => {},
    onModelLost: () => () => {},
    loadModel: async () => {
      if (!isLoaded) throw new Error('No network.');
      return { modelId: 'm', fileName: 'm.onnx', inputs: [], outputs: [], backend: 'wasm', labels: ['cat'], format: { name: 'onnx' } } as unknown as ModelDescription; // prettier-ignore
    },
    storedModels: async () => [],
  };
  const memory = memoryStorage();
  const config = new ConfigState();
  config.importText(JSON.stringify({ components: [camera, transform], services: [visionOf(cameraName)] }));
  const models = new ModelsState(client as VisionClient, memory);
  const labels = new LabelsState(config, models);
  if (isLoaded) await models.load({ kind: 'url', url: 'https://example.org/m.onnx' }, 'v');
  const rewrite = vi.fn(async (_: ModelDescription, { also = (edit) => edit }: FitChoice = {}) =>
    config.editSteps('Machine-ready m.onnx', also),
  );
  const fit = { rewrite, recognise: vi.fn() } as unknown as FitState;
  const solver = new SolverState({ config, models, labels, fit, serviceName: 'v' }, client as VisionClient);
  const bench = feedingBench({ config, models, labels, fit, serviceName: 'v' }, solver);
  return { bench, config, rewrite, solver };
}

const cure = (change: Partial<FeedingCure>): FeedingCure => ({ kind: 'colours', title: 'Blue first', fed: { bgr: true, meanValue: [0, 0, 0], stdDev: [1, 1, 1] }, step: null, fit: null, ...change }); // prettier-ignore
const crop = { type: 'crop', attributes: { xMin: 0.1, yMin: 0, xMax: 0.9, yMax: 1, overlayCropBox: false } } as const;

describe('what is fed now', () => {
  it('is the model with what its service says, and the camera whose steps are left out', async () => {
    const now = await (await lab('cut')).bench.now();
    expect(now).toMatchObject({ modelName: 'm.onnx', labels: ['cat'], backend: 'wasm', stepsOf: 'cut', service: { bgr: false, meanValue: [0.5, 0.5, 0.5] } }); // prettier-ignore
    expect((await (await lab()).bench.now()).stepsOf).toBe('');
  });

  it('is nothing where no model can be loaded', async () => {
    const { bench } = await lab('front', false);
    expect(bench.key).toBe('');
    await expect(bench.now()).rejects.toThrow(/There is no model to feed: .*No network/);
  });
});

describe('a colour detector', () => {
  it('has no model that is fed, and gets none', async () => {
    const { bench, config } = await lab('front', false);
    const color = { name: 'v', api: 'rdk:service:vision', model: 'color_detector', attributes: {} };
    config.importText(JSON.stringify({ components: [camera], services: [color] }));
    await expect(bench.now()).rejects.toThrow('v is a colour detector');
  });
});

describe('a cure', () => {
  it('writes colours and values, and one undo takes them back', async () => {
    const { bench, config } = await lab();
    const before = bench.key;
    expect(await bench.write(cure({}))).toBe('');
    expect(config.service).toMatchObject({ bgr: true, meanValue: [0, 0, 0], stdDev: [1, 1, 1] });
    expect(bench.written).toBe('Wrote into the configuration: Blue first.');
    expect(bench.key).not.toBe(before);
    bench.takeBack();
    expect([bench.written, bench.key, config.service!.bgr]).toEqual(['', before, false]);
  });

  it('writes a step behind the steps that are there, or a camera that has it, in the same undo step', async () => {
    const { bench, config } = await lab('cut');
    await bench.write(cure({ step: crop }));
    expect(config.camera).toMatchObject({ name: 'cut', pipeline: [{ type: 'rotate' }, crop] });
    config.undo();
    expect([config.camera!.pipeline.length, config.service!.bgr]).toEqual([1, false]);

    const bare = await lab();
    await bare.bench.write(cure({ step: { type: 'resize', attributes: { widthPx: 64, heightPx: 32 } } }));
    expect(bare.config.camera).toMatchObject({ source: 'front', pipeline: [{ type: 'resize', attributes: { widthPx: 64, heightPx: 32 } }] }); // prettier-ignore
    expect(bare.config.service!.cameraName).toBe(bare.config.camera!.name);
  });

  it('has the model written anew, with its step, and says so', async () => {
    const { bench, config, rewrite } = await lab('cut');
    const fit = { family: 'fitted', options: { letterbox: 'pad' }, feedingFound: null, inputSize: null };
    expect(await bench.write(cure({ fit, step: crop, title: 'The border' }))).toBe('');
    expect(rewrite).toHaveBeenCalledWith(expect.objectContaining({ modelId: 'm' }), expect.objectContaining(fit));
    expect([config.camera!.pipeline.length, bench.written]).toEqual([2, 'Wrote the model again: The border.']);
    rewrite.mockResolvedValueOnce(false);
    expect(await bench.write(cure({ fit }))).toMatch(/could not be written again/);
  });

  it('is not written into a configuration that cannot be read', async () => {
    const { bench, config } = await lab();
    config.typeText('{');
    expect(await bench.write(cure({}))).toMatch(/cannot be read/);
  });
});
