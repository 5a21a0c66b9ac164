import { describe, expect, it } from 'vitest';
import type { VisionClient } from '../../../../workers/vision/client/vision-client.ts';
import type { ModelDescription } from '../../../../workers/vision/protocol.ts';
import { memoryStorage } from '../../../../tests/memory-storage.ts';
import type { ModelSource } from '../../../platform/ports/model-source.ts';
import { ConfigState } from '../config/config-state.svelte.ts';
import { ModelsState } from './models-state.svelte.ts';
import { TensorNamesState } from './tensor-names-state.svelte.ts';

const picture = (name: string) => ({
  name,
  dtype: 'float32' as const,
  shape: [1, 3, 9, 9],
  symbols: [null, null, null, null],
});
const fromUrl = (name: string): ModelSource => ({ kind: 'url', url: `https://example.org/${name}` });

/** A bench whose models are called after their one input. */
function bench(remapInputNames: object = {}, remembered: string | null = null, services: readonly object[] = []) {
  const describeModel = (id: string): Partial<ModelDescription> => ({
    ...(id.endsWith('.tflite')
      ? { modelId: id, sha256: id, fileName: id, format: { name: 'tflite', schemaVersion: 3, signatures: [] } }
      : { modelId: id, sha256: id, fileName: `${id}.onnx`, format: { name: 'onnx', irVersion: 8, opsets: {} } }),
    inputs: [picture(id)],
    outputs: [],
  });
  const client: Partial<VisionClient> = {
    onBackendDecided: () => () => {},
    onModelLost: () => () => {},
    loadModel: async (source) =>
      describeModel(source.kind === 'url' ? source.url.split('/').at(-1)! : 'images') as ModelDescription,
    storedModels: async () => [{ sha256: 'images', fileName: 'images.onnx', byteLength: 1, storedAtMs: 0 }],
    unloadModel: async () => {},
  };
  const config = new ConfigState();
  const attributes = { mlmodel_name: 'm', remap_input_names: remapInputNames };
  config.importText(
    JSON.stringify({ services: [...services, { name: 'v', api: 'rdk:service:vision', model: 'mlmodel', attributes }] }),
  );
  const memory = memoryStorage();
  if (remembered) memory.setItem('sightglass:model', JSON.stringify(remembered));
  const models = new ModelsState(client as VisionClient, memory, { onLoaded: (service) => names.write(service) });
  const names = new TensorNamesState(config, models);
  return { config, models, names, remap: () => config.service!.remapInputNames };
}

describe('TensorNamesState', () => {
  it('names the input of a model that is loaded, says so, and undo takes it back', async () => {
    const { config, models, names, remap } = bench();
    await models.load(fromUrl('images'), 'v');
    expect(remap()).toEqual({ images: 'image' });
    expect(names.said('v')).toBe('Wrote into remap_input_names: the model’s “images” is “image”.');
    expect(config.undoLabel).toBe('Tensor names of images.onnx');
    names.takeBack('v');
    expect(remap()).toEqual({});
    expect(names.said('v')).toBe('');
    expect(names.missing('v')).toEqual({ remapInputNames: { images: 'image' } });
    config.redo();
    expect(names.said('v')).not.toBe('');
  });

  it('keeps saying it while other things are edited, but then leaves undo to them', async () => {
    const { config, models, names } = bench();
    await models.load(fromUrl('images'), 'v');
    config.edit('Something else', (text) => text.replace('{', '{ "x": 1,'));
    expect([names.said('v') !== '', names.canTakeBack('v')]).toEqual([true, false]);
    names.takeBack('v');
    expect(config.undoLabel).toBe('Something else');
  });

  it('puts the next model in the place of the one before', async () => {
    const { models, names, remap } = bench();
    await models.load(fromUrl('images'), 'v');
    await models.load(fromUrl('input'), 'v');
    expect(remap()).toEqual({ input: 'image' });
    await models.load(fromUrl('image'), 'v');
    expect(remap()).toEqual({});
    expect(names.said('v')).toBe('Removed from remap_input_names what this model does not have.');
  });

  it('writes nothing for a model that comes back from the last visit: what was undone stays undone', async () => {
    const { models, names, remap } = bench({}, 'images');
    await models.loadFirst('v');
    expect(models.of('v')?.fileName).toBe('images.onnx');
    expect(remap()).toEqual({});
    expect(names.missing('v')).toEqual({ remapInputNames: { images: 'image' } });
    names.write('v');
    expect(remap()).toEqual({ images: 'image' });
  });

  it('writes for a model of another service that is shared', async () => {
    const { models, remap } = bench();
    await models.load(fromUrl('images'), 'other');
    expect(remap()).toEqual({});
    await models.share('v', 'images');
    expect(remap()).toEqual({ images: 'image' });
  });

  it('makes the model service one that runs the file’s format, in the same step', async () => {
    const modelService = (model: string) => ({
      name: 'm',
      api: 'rdk:service:mlmodel',
      model,
      attributes: { model_path: '/models/faces.onnx' },
    });
    const { config, models, names } = bench({}, null, [modelService('viam:mlmodel:onnx-cpu')]);
    const before = config.text;
    await models.load(fromUrl('ssd.tflite'), 'v');
    const [entry] = config.parsed.entries;
    expect(entry).toMatchObject({
      model: 'viam:mlmodel-tflite:tflite_cpu',
      attributes: { model_path: '/models/ssd.tflite' },
    });
    expect(names.said('v')).toBe(
      'Made the model service a viam:mlmodel-tflite:tflite_cpu with /models/ssd.tflite, which runs such files. ' +
        'Wrote into remap_input_names: the model’s “ssd.tflite” is “image”.',
    );
    names.takeBack('v');
    expect(config.text).toBe(before);

    const unknown = bench({}, null, [modelService('viam:mlmodel-triton:triton')]);
    await unknown.models.load(fromUrl('ssd.tflite'), 'v');
    expect(unknown.config.parsed.entries[0]!.model).toBe('viam:mlmodel-triton:triton');
  });
});
