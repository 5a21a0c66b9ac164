import { expect, it } from 'vitest';
import { visionServiceConfig } from '../../../../tests/machine-configs.ts';
import type { Capabilities } from '../../../platform/ports/inference-runtime.ts';
import type { BackendsBench } from './backends-bench.ts';
import { openFrame } from './open-frame.ts';
import { firstChoices, kindsFor, kindText, modelsOf, sideTask } from './sides.ts';

const browser = (wasmThreads: number, available = true) =>
  ({ wasmThreads, webgpu: { available, emulated: false } }) as unknown as Capabilities;
const onnx = { sha256: 'a', fileName: 'a.onnx' };
const lite = { sha256: 'b', fileName: 'b.TFLITE' };

/** A bench with model a on the stage, and b on the shelf, which was fed blue first. */
function bench({ isHere = true, settings = { vision: { input_image_bgr: true }, file: null } as object | null } = {}) {
  const attributes = { mlmodel_name: 'm', default_minimum_confidence: 0.4 };
  const text = JSON.stringify({ services: [{ name: 'v', api: 'rdk:service:vision', model: 'mlmodel', attributes }] });
  return {
    config: { text, service: visionServiceConfig({ name: 'v', defaultMinimumConfidence: 0.4 }) },
    models: {
      of: () => ({ ...onnx, modelId: 'one', format: {} }),
      sourceOf: () => (isHere ? { kind: 'stored', sha256: 'a' } : null),
      stored: [onnx, lite],
    },
    plan: { models: { v: { labels: ['cat'] } } },
    serviceName: 'v',
    shelf: { recordOf: () => ({ settings, labels: { file: { labels: ['dog'] } } }) },
  } as unknown as BackendsBench;
}

it('offers what the browser has: the GPU for no model of LiteRT, and threads where there are several', () => {
  expect(kindsFor(onnx, browser(4))).toEqual(['one-thread', 'threads', 'webgpu']);
  expect(kindsFor(onnx, browser(1, false))).toEqual(['one-thread']);
  expect(kindsFor(lite, browser(4))).toEqual(['one-thread', 'threads']);
  expect(kindsFor(onnx, null)).toEqual(['one-thread']);
  expect(['threads', 'one-thread'].map((kind) => kindText(kind as 'threads', lite, browser(4)))).toEqual([
    'LiteRT, 4 threads',
    'LiteRT, one thread',
  ]);
});

it('takes each model once, that of the stage first, and its fastest kind against one thread', () => {
  expect(modelsOf(bench()).map(({ sha256 }) => sha256)).toEqual(['a', 'b']);
  expect(firstChoices(bench(), browser(4))).toEqual([
    { sha256: 'a', kind: 'one-thread' },
    { sha256: 'a', kind: 'webgpu' },
  ]);
});

it('runs the model of the stage as it is tuned, and another one as it was fed and read', () => {
  expect(sideTask(bench(), { sha256: 'a', kind: 'threads' })).toMatchObject({
    source: { kind: 'stored', sha256: 'a' },
    vision: { bgr: false, defaultMinimumConfidence: 0.4 },
    labels: ['cat'],
  });
  expect(sideTask(bench(), { sha256: 'b', kind: 'threads' })).toMatchObject({
    source: { kind: 'stored', sha256: 'b' },
    vision: { bgr: true },
    labels: ['dog'],
  });
  expect(sideTask(bench({ settings: null }), { sha256: 'b', kind: 'threads' })).toMatchObject({
    vision: { bgr: false },
    labels: ['cat'],
  });
  expect(() => sideTask(bench({ isHere: false }), { sha256: 'a', kind: 'threads' })).toThrow(
    'A live machine runs this',
  );
});

it('shows a frame of the strip where it is, and one of a stream as a picture of its own', async () => {
  const shown: unknown[] = [];
  const sources = {
    kind: 'stills',
    stills: { frames: [{ name: 'x.png' }, { name: 'y.png' }] },
    selectStill: (index: number) => void shown.push(index),
    add: async ([{ name }]: readonly [{ readonly name: string }]) => void shown.push(name),
  } as unknown as BackendsBench['sources'];
  for (const name of ['x.png', 'y.png', 'webcam 3']) await openFrame({ sources }, { name, content: new Blob() });
  expect(shown).toEqual([0, 1, 'webcam 3.png']);
});
