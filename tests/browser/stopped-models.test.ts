import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { BenchPlan, ModelDescription } from '../../workers/vision/protocol.ts';
import { connectInferenceWorker } from '../../workers/inference/client.ts';
import { createVisionClient, type VisionClient } from '../../workers/vision/client/vision-client.ts';
import { endlessModel, greedyModel } from '../hostile-models.ts';
import { visionServiceConfig } from '../machine-configs.ts';
import { fixedClassifier } from '../models.ts';

const documentBase = `${location.origin}/`;
const startWorker = (): Worker =>
  new Worker(new URL('../../workers/vision/entry.ts', import.meta.url), { type: 'module', name: 'vision' });

let client: VisionClient;
let notices: string[];
let lost: string[];
beforeEach(() => {
  client = createVisionClient(startWorker, documentBase);
  [notices, lost] = [[], []];
  client.onNotice(({ code, message }) => notices.push(`${code}: ${message}`));
  client.onModelLost(({ fileName }) => lost.push(fileName));
});
afterEach(() => client.dispose());

const file = (bytes: Uint8Array<ArrayBuffer>, name: string) =>
  ({ kind: 'file', file: new File([bytes], name) }) as const;

function planWith({ modelId }: ModelDescription): BenchPlan {
  const service = visionServiceConfig({ meanValue: [0, 0, 0], stdDev: [1, 1, 1] });
  return {
    config: { cameras: [], visionServices: [service] },
    visionName: service.name,
    cameraName: null,
    models: { [service.name]: { modelId, labels: null } },
    undistortPreview: false,
    shownStage: -1,
    thumbnails: false,
  };
}

/** A still of one colour. */
async function picture(colour: string): Promise<Blob> {
  const canvas = new OffscreenCanvas(16, 16);
  const context = canvas.getContext('2d')!;
  context.fillStyle = colour;
  context.fillRect(0, 0, 16, 16);
  return canvas.convertToBlob({ type: 'image/png' });
}
const info = (name: string) => ({ name, index: 0, timestampMs: 0 });

/** Resolves when a frame has been running for a long time. */
function stalled(): Promise<void> {
  return new Promise((resolve) => {
    const stop = client.onStall((isStalled) => {
      if (!isStalled) return;
      stop();
      resolve();
    });
  });
}

describe('a model that heeds nothing', () => {
  it('is ended when it does not stop to load; the model, plan and picture before go on, and what was asked for after it', async () => {
    const model = await client.loadModel(file(fixedClassifier({ scores: [0.25, 0.75] }), 'fixed.onnx'), {
      backend: 'wasm',
    });
    await client.setPlan(planWith(model));
    const abort = new AbortController();
    const loading = client.loadModel(file(endlessModel('any'), 'endless.onnx'), {
      backend: 'wasm',
      signal: abort.signal,
    });
    let isAtIt = false;
    const atIt = stalled().then(() => (isAtIt = true));
    const red = await picture('red');
    let behindIt: Promise<unknown> = Promise.resolve();
    while (!isAtIt) await Promise.race([(behindIt = client.run(red, info('red.png'))), atIt]);
    const shownAgain = new Promise<string>((resolve) => client.onResult(({ frame }) => resolve(frame.name)));
    abort.abort();
    const next = client.loadModel(file(fixedClassifier({ scores: [1] }), 'next.onnx'), { backend: 'wasm' });
    await expect(loading).rejects.toMatchObject({ name: 'AbortError' });
    expect(await behindIt).toBeNull();
    expect(await shownAgain).toBe('red.png');
    const result = await client.run(await picture('blue'), info('blue.png'));
    expect(result).toMatchObject({ frame: { name: 'blue.png' }, problems: [] });
    expect([...result!.classifications!.score]).toEqual([0.25, 0.75]);
    expect((await next).fileName).toBe('next.onnx');
    expect(notices).toEqual([
      'worker-restarted: The model did not stop when it was told to, so it was ended. Models and settings were restored.',
    ]);
    expect(lost).toEqual([]);
  });

  it('is stopped at a frame, which has no result; the next one has its own, and the same one hangs again', async () => {
    const model = await client.loadModel(file(endlessModel('red'), 'endless.onnx'), { backend: 'wasm' });
    await client.setPlan(planWith(model));
    const announced: string[] = [];
    client.onResult(({ frame }) => announced.push(frame.name));
    client.changeSource();
    const hung = client.run(await picture('red'), info('red.png'));
    await stalled();
    client.endRun();
    expect(await hung).toBeNull();
    await client.capabilities(); // wait for the restarted worker and its model: if it were stopped before, the model would be lost
    const again = client.rerun();
    await stalled();
    client.endRun();
    expect(await again).toBeNull();
    client.changeSource();
    const result = await client.run(await picture('blue'), info('blue.png'));
    expect(Array.from(result!.classifications!.score, Math.round)).toEqual([0, 0, 1]);
    expect([announced, notices, lost]).toEqual([['blue.png'], [], []]);
  });

  it.each(['at once', 'by and by'] as const)(
    'that asks for more memory than there is %s is refused in words',
    async (how) => {
      const loading = client.loadModel(file(greedyModel(how), 'greedy.onnx'), { backend: 'wasm' });
      await expect(loading).rejects.toMatchObject({ code: 'out-of-memory', message: expect.stringMatching(/memory/) });
      const model = await client.loadModel(file(fixedClassifier({ scores: [1] }), 'fixed.onnx'), { backend: 'wasm' });
      await client.setPlan(planWith(model));
      expect((await client.run(await picture('red'), info('red.png')))!.problems).toEqual([]);
    },
  );
});

it('hears of the end of an inference worker that says nothing', async () => {
  const worker = new Worker(new URL('../../workers/inference/entry.ts', import.meta.url), {
    type: 'module',
    name: 'inference',
  });
  const runtime = connectInferenceWorker(worker);
  const session = await runtime.open(endlessModel('any'), 'wasm');
  const escaped = new Promise<string>((resolve) => {
    const hear = (event: ErrorEvent): void => {
      event.preventDefault();
      event.stopImmediatePropagation();
      resolve(event.message);
    };
    window.addEventListener('error', hear, { capture: true, once: true });
    onTestFinished(() => window.removeEventListener('error', hear, { capture: true }));
  });
  const image = { dtype: 'float32', shape: [1, 3, 8, 8], data: new Float32Array(192) } as const;
  const underWay = session.run({ image });
  worker.terminate();
  await expect(underWay).rejects.toThrow('its worker was ended');
  expect(await escaped).toContain('The inference worker stopped: its worker was ended');
});
