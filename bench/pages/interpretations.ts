import { parseMachineConfig } from '../../src/machine/config/parse/parse-machine-config.ts';
import { median } from '../figure.ts';
import { startClient } from './headless-bench.ts';

/** A configuration with the measured model and a vision service with these attributes. */
const configOf = (attributes: object) =>
  JSON.stringify({
    services: [
      { name: 'm', api: 'rdk:service:mlmodel', model: 'viam:mlmodel:onnx-cpu', attributes: { model_path: 'm.onnx' } },
      { name: 'v', api: 'rdk:service:vision', model: 'mlmodel', attributes: { mlmodel_name: 'm', ...attributes } },
    ],
  });

/** Time in ms of one inference, and of each search for interpretations of the model on the same picture. */
async function measure(modelUrl: string, pictureUrl: string, attributes: object, rounds: number) {
  const client = startClient();
  const description = await client.loadModel({ kind: 'url', url: modelUrl }, { backend: 'wasm' });
  await client.setPlan({
    config: parseMachineConfig(configOf(attributes)).config,
    visionName: 'v',
    cameraName: null,
    models: { v: { modelId: description.modelId, labels: null } },
    undistortPreview: false,
    shownStage: null,
    thumbnails: false,
  });
  const picture = await (await fetch(pictureUrl)).blob();
  const inferences: number[] = [];
  const searches: Record<'outputs' | 'input', number[]> = { outputs: [], input: [] };
  const found = { outputs: 0, input: 0 };
  for (let round = 0; round < rounds; round++) {
    const result = await client.run(picture, { name: 'photograph', index: round, timestampMs: round });
    inferences.push(result!.timings.inferenceMs);
    for (const side of ['outputs', 'input'] as const) {
      const startMs = performance.now();
      const { interpretations, picture: shown } = await client.findInterpretations(
        side,
        () => undefined,
        new AbortController().signal,
      );
      searches[side].push(performance.now() - startMs);
      found[side] = interpretations.length;
      shown?.close();
    }
  }
  return {
    found,
    inferenceMs: median(inferences),
    outputsMs: median(searches.outputs),
    inputMs: median(searches.input),
  };
}

Object.assign(globalThis, { measure });
