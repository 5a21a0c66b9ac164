import { expect, it } from 'vitest';
import { memoryStorage } from '../../../../tests/memory-storage.ts';
import type { FitClient, ModelRecognition } from '../../../../workers/fit/client.ts';
import type { VisionClient } from '../../../../workers/vision/client/vision-client.ts';
import { ConfigState } from '../config/config-state.svelte.ts';
import { LabelsState } from '../models/labels-state.svelte.ts';
import { ModelsState } from '../models/models-state.svelte.ts';
import { FitState } from './fit-state.svelte.ts';

const described = {
  modelId: 'net',
  sha256: 'net',
  fileName: 'net.onnx',
  byteLength: 1,
  inputs: [],
  outputs: [],
  format: { name: 'onnx', irVersion: 8, opsets: { '': 17 } },
  labels: null,
  boxOrder: null,
};

it('opens its dialog with what the model is recognised as, also when that takes longer than the click', async () => {
  const vision: Partial<VisionClient> = {
    onBackendDecided: () => () => {},
    onModelLost: () => () => {},
    loadModel: async () => described as never,
    storedModels: async () => [],
  };
  const config = new ConfigState();
  const models = new ModelsState(vision as VisionClient, memoryStorage());
  const labels = new LabelsState(config, models);
  await models.load({ kind: 'url', url: 'https://example.org/net.onnx' }, 'detector');
  let recognised!: (as: ModelRecognition) => void;
  const asked: string[] = [];
  const fitter: Partial<FitClient> = {
    recognise({ modelId }) {
      asked.push(modelId);
      return new Promise((resolve) => (recognised = resolve));
    },
    fit: () => new Promise(() => {}),
    end: () => {},
  };
  const results = { seenSize: null };
  const place = { config, models, labels, results, vision: vision as VisionClient, serviceName: 'detector' };
  const fit = new FitState(place, async () => fitter as FitClient);
  const model = models.of('detector')!;
  void fit.recognise(model);
  const opening = fit.open(model, { activation: 'sigmoid' });
  await new Promise((resolve) => setTimeout(resolve));
  expect(fit.session).toBeNull();
  recognised({ kind: 'unknown' } as ModelRecognition);
  await opening;
  expect([asked, fit.session?.family]).toEqual([['net'], 'guided']);
});
