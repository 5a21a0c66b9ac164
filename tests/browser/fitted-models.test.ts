import { afterAll, describe, expect, it } from 'vitest';
import { fitModel } from '../../src/models/fit/fit-model.ts';
import { createOnnxRuntime } from '../../src/platform/browser/onnxruntime/onnxruntime.ts';
import type { InferenceSession } from '../../src/machine/vision/inference/inference-session.ts';
import type { Tensor } from '../../src/machine/vision/tensor/tensor.ts';
import { seeingYolox, seeingYoloV8 } from '../fit/seeing-models.ts';
import { randomSource } from '../random-frame.ts';

const runtime = createOnnxRuntime();
const { webgpu } = await runtime.capabilities();

/** A picture of noise with the model's input dtype and size, or 101×77 if the size is dynamic. */
function noise({ inputs }: InferenceSession, seed: number): Tensor {
  const [{ dtype, shape }] = inputs as [InferenceSession['inputs'][number]];
  const sizes = shape.map((size, axis) => (size === -1 ? [1, 3, 77, 101][axis]! : size));
  const random = randomSource(seed);
  const values = Array.from({ length: sizes.reduce((a, b) => a * b) }, () => random());
  return dtype === 'uint8'
    ? { dtype, shape: sizes, data: Uint8Array.from(values, (value) => value * 256) }
    : { dtype: 'float32', shape: sizes, data: Float32Array.from(values) };
}

describe.skipIf(!webgpu.available)('fitted models on the GPU (skipped without WebGPU)', () => {
  const open: InferenceSession[] = [];
  afterAll(() => Promise.all(open.map((session) => session.release())));

  it.each([
    ['YOLOX, padded', seeingYolox(3), 'pad'],
    ['YOLOX, stretched', seeingYolox(3), 'stretch'],
    ['YOLOv8, padded', seeingYoloV8(3), 'pad'],
    ['YOLOv8, stretched', seeingYoloV8(3), 'stretch'],
    ['YOLOv8 of opset 11', seeingYoloV8(3, { versions: { opset: 11, irVersion: 6 } }), 'pad'],
    ['YOLOv8 of one class', seeingYoloV8(1), 'pad'],
  ])(
    '%s finds what it finds on the CPU',
    async (_, source, letterbox) => {
      const { model } = fitModel(source, { options: { letterbox } });
      const sessions = await Promise.all(
        (['wasm', 'webgpu'] as const).map((backend) => runtime.open(model.slice(), backend)),
      );
      open.push(...sessions);
      for (const seed of [1, 2, 3]) {
        const image = noise(sessions[0]!, seed);
        const [cpu, gpu] = [await sessions[0]!.run({ image }), await sessions[1]!.run({ image })];
        const shown = Array.from(cpu['score']!.data as Float32Array).filter((score) => score > 0);
        expect(shown.length).toBeGreaterThan(5);
        expect(gpu['category']!.data).toEqual(cpu['category']!.data);
        for (const name of ['location', 'score']) {
          const [wanted, found] = [cpu[name]!.data as Float32Array, gpu[name]!.data as Float32Array];
          expect(found.length).toBe(wanted.length);
          expect(Math.max(...found.map((value, k) => Math.abs(value - wanted[k]!)))).toBeLessThan(1e-4);
        }
      }
    },
    180_000,
  );
});
